"""HiringBloomberg: which of eight equally strong candidates is ranked first."""

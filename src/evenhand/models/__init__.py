"""Who answers: a server over HTTP, saved answers, or a simulation."""

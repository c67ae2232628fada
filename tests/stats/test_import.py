"""What importing the arithmetic brings along."""

import subprocess
import sys


def test_importing_statistics_loads_no_data_frames_http_or_scipy_stats():
    program = "import sys, evenhand.stats; print(*{'scipy.stats', 'polars', 'aiohttp', 'pandas'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""

"""What importing the arithmetic brings along."""

import subprocess
import sys


def test_importing_statistics_loads_no_data_frames_http_or_scipy_stats():
    program = "import sys, evenhand.stats; print(*{'scipy.stats', 'polars', 'aiohttp', 'pandas'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_numpy_keeps_the_modules_that_are_not_imported_with_scipy():
    told = "print('numpy.f2py' in sys.modules, numpy.f2py.main.__name__, numpy.testing.assert_equal.__name__)"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, numpy, evenhand.stats; {told}"], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "main", "assert_equal"]


def test_measuring_loads_none_of_what_numpy_brings_along_for_scipy():
    brought = "{'numpy.f2py', 'numpy.ma', 'numpy.polynomial', 'numpy.testing'} & set(sys.modules)"
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            f"import sys, evenhand.analyses.probes, evenhand.comparisons.documents; print(*{brought})",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ""

"""Large arrays go back to the system; the memory of those that come and go is kept."""

from __future__ import annotations

import subprocess
import sys

import pytest

FAULTS = """
import ctypes, resource
from foldwise.core.process import LARGE, return_large_blocks
return_large_blocks()
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.malloc.argtypes, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p]
def pages(size, times):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(times):
        block = libc.malloc(size)
        ctypes.memset(block, 1, size)
        libc.free(block)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
pages(LARGE // 2, 1)
print(pages(LARGE // 2, 50), pages(2 * LARGE, 1))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's allocator")
def test_blocks_that_come_and_go_are_kept_and_large_ones_are_returned():
    found = subprocess.run([sys.executable, "-c", FAULTS], capture_output=True, text=True, check=True).stdout
    kept, returned = map(int, found.split())
    assert kept < 50  # of 6,400 pages that are touched
    assert returned >= 1  # the second block is mapped anew


KEPT = """
import ctypes
from foldwise.core.process import give_back
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.malloc.argtypes, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p]
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096
blocks = [libc.malloc(10_000) for _ in range(5000)]
for block in blocks:
    ctypes.memset(block, 1, 10_000)
for block in blocks[:-1]:  # the last one, which stays, keeps the heap from shrinking
    libc.free(block)
before = resident()
give_back()
print(before - resident())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's allocator")
def test_freed_memory_below_a_block_in_use_is_given_back():
    found = subprocess.run([sys.executable, "-c", KEPT], capture_output=True, text=True, check=True).stdout
    assert int(found) > 40_000_000  # of 50 million bytes

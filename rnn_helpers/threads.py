"""One thread for each matrix product.

The matrices of this book are small, and on a busy machine the threads of a product mostly wait for
one another. On two busy cores, a second thread slowed down the products of an RNN with 128 units by
a factor of 1.5 to 5, and the least-squares fit of a reservoir with 300 units by a factor of 2 to 5.
Even for the product of two matrices with 1000 rows it saved at most a sixth of the time.
"""

import os
import sys

from threadpoolctl import threadpool_limits

# Variables that OpenBLAS, MKL, OpenMP (and so PyTorch) and Apple's Accelerate read when loaded.
VARIABLES = (
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OMP_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


def one_thread():
    """Limit BLAS and PyTorch to one thread, whether they are loaded already or not.

    A number that is set in the environment stays: ``OPENBLAS_NUM_THREADS=4 jupyter lab`` gives
    NumPy four threads, and ``OMP_NUM_THREADS=4`` gives PyTorch four.
    """
    unset = [name for name in VARIABLES if name not in os.environ]
    os.environ.update(dict.fromkeys(unset, "1"))
    if "OPENBLAS_NUM_THREADS" in unset:
        threadpool_limits(1, user_api="blas")
    if "OMP_NUM_THREADS" in unset:
        threadpool_limits(1, user_api="openmp")
        if torch := sys.modules.get("torch"):
            torch.set_num_threads(1)

"""The products that decide in naive Bayes, compiled: for many examples, and for kernel densities."""

from __future__ import annotations

import numpy as np

from foldwise.core.compile import kernel
from foldwise.core.types import Array, Integers
from foldwise.learners.class_densities import (
    KernelDensities,
    first_largest,
    kernel_probabilities,
    multiply,
    normal_probabilities,
)
from foldwise.learners.naive_bayes_plain import Normal

__all__ = ["first_largest_of_each", "multiply_densities", "multiply_frequencies", "multiply_normal"]


def multiply_normal(column: Array, estimate: Normal, products: Array) -> None:
    """Multiply a numeric attribute's probabilities into the examples' products, in place."""
    _multiply_normal(column, estimate[0], estimate[1], estimate[2], products)


def multiply_densities(column: Array, fitted: KernelDensities, products: Array) -> None:
    """The same by kernel densities."""
    _multiply_kernels(
        column, fitted.centres, fitted.weights, fitted.start, fitted.deviation, fitted.precision, products
    )


@kernel
def multiply_frequencies(column: Array, frequencies: Array, products: Array) -> None:
    """Multiply a nominal attribute's probabilities into the examples' products, in place."""
    for i in range(column.shape[0]):
        if not np.isnan(column[i]):
            multiply(products[i], frequencies[np.int64(column[i])])


@kernel
def _multiply_normal(column: Array, precision: float, mean: Array, deviation: Array, products: Array) -> None:
    factors = np.empty(mean.shape[0])
    for i in range(column.shape[0]):
        if not np.isnan(column[i]):
            normal_probabilities(column[i], precision, mean, deviation, factors)
            multiply(products[i], factors)


@kernel
def _multiply_kernels(
    column: Array, centres: Array, weights: Array, start: Integers, deviation: Array, precision: float, products: Array
) -> None:
    factors = np.empty(deviation.shape[0])
    for i in range(column.shape[0]):
        if not np.isnan(column[i]):
            kernel_probabilities(column[i], centres, weights, start, deviation, precision, factors)
            multiply(products[i], factors)


@kernel
def first_largest_of_each(products: Array) -> Integers:
    """Per example the first class whose share of the sum is largest; equal shares are equal after rounding."""
    codes = np.empty(products.shape[0], np.int64)
    for i in range(products.shape[0]):
        codes[i] = first_largest(products[i])
    return codes

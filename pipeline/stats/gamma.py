"""Quantiles of gamma distributions, for intervals of rare counts: a start of scipy would take longer than a report."""

import math
from statistics import NormalDist


def gamma_cdf(shape: float, x: float) -> float:
    """Return P(X <= x) of a gamma variable of unit scale.

    Its series up to shape + 1, its continued fraction (by Lentz's method) beyond. Source: Abramowitz and Stegun,
    6.5.29 and 6.5.31.
    """
    if x <= 0:
        return 0.0
    front = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        step = shape
        while term > total * 1e-16:
            step += 1
            term *= x / step
            total += term
        return min(1.0, front * total)
    tiny = 1e-300
    b = x + 1 - shape
    c = 1 / tiny
    d = 1 / b
    fraction = d
    for i in range(1, 10_000):
        a = -i * (i - shape)
        b += 2
        d = a * d + b
        d = 1 / (d if abs(d) > tiny else tiny)
        c = b + a / c
        c = c if abs(c) > tiny else tiny
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return max(0.0, 1 - front * fraction)


def gamma_quantile(shape: float, p: float) -> float:
    """Return the x with P(X <= x) = p of a gamma variable of unit scale, to ten digits; shape 1 or more.

    Wilson and Hilferty's cube as a start, then bisection and Newton's steps between bounds that hold the answer.
    """
    root = 1 - 1 / (9 * shape) + NormalDist().inv_cdf(p) / (3 * math.sqrt(shape))
    x = (
        shape * root**3
        if root > 0
        else shape * math.exp((math.log(p) + math.lgamma(shape + 1)) / shape - math.log(shape))
    )
    low, high = 0.0, math.inf
    for _ in range(200):
        miss = gamma_cdf(shape, x) - p
        low, high = (low, x) if miss > 0 else (x, high)
        density = math.exp((shape - 1) * math.log(x) - x - math.lgamma(shape)) if x > 0 else 0.0
        following = x - miss / density if density > 0 else math.nan
        if not low < following < high:
            following = (low + high) / 2 if math.isfinite(high) else 2 * x + 1
        if abs(following - x) <= 1e-11 * x:
            return following
        x = following
    return x

"""Operations that compile to single instructions: bit counts, bit gather and scatter, prefetch."""

import os
from functools import cache
from typing import Any

import llvmlite.binding
import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def popcount(typing_context: Any, word: Any) -> Any:
    """Return the number of set bits of a uint64, as uint64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@intrinsic
def lowest_bit(typing_context: Any, word: Any) -> Any:
    """Return the index of the lowest set bit of a uint64, as uint64; undefined for 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.uint64(types.uint64), generate


@intrinsic
def pext(typing_context: Any, word: Any, mask: Any) -> Any:
    """Return the bits of `word` under `mask`, packed to the low end; one instruction, on a processor with BMI2 only."""
    return types.uint64(types.uint64, types.uint64), _bmi2("llvm.x86.bmi.pext.64")


@intrinsic
def pdep(typing_context: Any, word: Any, mask: Any) -> Any:
    """Return the low bits of `word` spread to the places set in `mask`; one instruction, on a processor with BMI2
    only.
    """
    return types.uint64(types.uint64, types.uint64), _bmi2("llvm.x86.bmi.pdep.64")


def _bmi2(name: str) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(word, [word, word]), name)
        return builder.call(function, arguments)

    return generate


@intrinsic
def prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    """Ask the processor to load array[index] soon; changes nothing else, whatever the index."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.gep(data, [arguments[1]])
        byte_pointer = ir.IntType(8).as_pointer()
        number = ir.IntType(32)
        function_type = ir.FunctionType(ir.VoidType(), [byte_pointer, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, function_type, "llvm.prefetch.p0i8")
        read, keep_in_all_caches, data_cache = ir.Constant(number, 0), ir.Constant(number, 3), ir.Constant(number, 1)
        builder.call(function, [builder.bitcast(place, byte_pointer), read, keep_in_all_caches, data_cache])
        return context.get_dummy_value()

    return types.void(array, types.uint64), generate


SLOW_BMI2 = ("bdver4", "znver1", "znver2")
"""AMD processors before Zen 3 run pext and pdep as microcode of up to hundreds of cycles."""


@cache
def fast_bmi2() -> bool:
    """True where kernels should use pext and pdep. SHAKEDOWN_BMI2=0 in the environment says no, 1 says also if slow;
    it is read once a process.

    The processor asked is the one that numba compiles for (NUMBA_CPU_NAME and NUMBA_CPU_FEATURES count).
    """
    chosen = os.environ.get("SHAKEDOWN_BMI2", "")
    slow = _target() in SLOW_BMI2
    return chosen != "0" and has_bmi2() and (chosen == "1" or not slow)


def _target() -> str:
    return getattr(numba.config, "CPU_NAME", None) or llvmlite.binding.get_host_cpu_name()


@cache
def has_bmi2() -> bool:
    """True where the processor that numba compiles for knows pext and pdep, fast or slow."""
    features = getattr(numba.config, "CPU_FEATURES", None)
    if features is not None:
        return "+bmi2" in features.split(",")
    if _target() != llvmlite.binding.get_host_cpu_name():
        return False
    try:
        return bool(llvmlite.binding.get_host_cpu_features().get("bmi2", False))
    except RuntimeError:  # LLVM knows no features of this host
        return False

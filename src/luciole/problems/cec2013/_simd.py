"""A Numba type of eight float64 lanes, so that kernels are vectorised by construction.

`F64x8` is an LLVM vector value: arithmetic operators act lane by lane (a float operand is
broadcast), and the functions below load, store, select and reduce. LLVM splits the eight lanes
into whatever registers the machine has. Loads and stores take addresses and do not check bounds.
"""

import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, models, register_model

__all__ = [
    "LANES",
    "broadcast",
    "exponent",
    "flip_sign_if_odd",
    "fma",
    "lane",
    "load",
    "load_head",
    "mantissa",
    "pack4",
    "pointer",
    "product",
    "scale_by_power",
    "store",
    "total",
    "vabs",
    "vfloor",
    "vmax",
    "vmin",
    "vround",
    "vsqrt",
    "where_positive",
]

LANES = 8

# 1.5 * 2**52: adding it to a float rounds that to an integer, held in the low bits of the sum.
ROUNDER = 6755399441055744.0
_ROUNDER_BITS = 0x4338000000000000
_SQRT_HALF_BITS = 0x3FE6A09E667F3BCD
_MANTISSA_BITS = 52
_EXPONENT_BIAS = 1023

_DOUBLE = ir.DoubleType()
_INT32 = ir.IntType(32)
_INT64 = ir.IntType(64)
_VECTOR = ir.VectorType(_DOUBLE, LANES)
_INTEGERS = ir.VectorType(_INT64, LANES)


class F64x8(types.Type):
    """Numba type of a vector of eight float64 lanes."""

    def __init__(self) -> None:
        super().__init__(name="f64x8")


f64x8 = F64x8()


@register_model(F64x8)
class _F64x8Model(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, _VECTOR)


def _integers(value: int) -> ir.Constant:
    return ir.Constant(_INTEGERS, [value] * LANES)


def _index(lane: int) -> ir.Constant:
    return ir.Constant(_INT32, lane)


def _splat(builder: Any, value: Any, kind: Any = _VECTOR) -> Any:
    """Return a vector with the value in all lanes."""
    undefined = ir.Constant(kind, ir.Undefined)
    single = builder.insert_element(undefined, value, _index(0))
    return builder.shuffle_vector(single, undefined, ir.Constant(ir.VectorType(_INT32, LANES), [0] * LANES))


def _as_vector(context: Any, builder: Any, value: Any, kind: Any) -> Any:
    """Return the vector itself, or a number of any Numba type broadcast to all lanes."""
    if isinstance(kind, F64x8):
        return value
    return _splat(builder, context.cast(builder, value, kind, types.float64))


def _register_operator(function: Any, build: str) -> None:
    @infer_global(function)
    class _Template(AbstractTemplate):
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            known = all(isinstance(a, (F64x8, types.Number)) for a in args)
            if known and len(args) == 2 and any(isinstance(a, F64x8) for a in args):
                return signature(f64x8, *args)
            return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        left, right = (_as_vector(context, builder, a, k) for a, k in zip(args, sig.args, strict=True))
        return getattr(builder, build)(left, right)

    for left, right in ((F64x8, F64x8), (F64x8, types.Number), (types.Number, F64x8)):
        lower_builtin(function, left, right)(lower)


for _function, _build in (
    (operator.add, "fadd"),
    (operator.iadd, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    _register_operator(_function, _build)


@infer_global(operator.neg)
class _NegationTemplate(AbstractTemplate):
    key = operator.neg

    def generic(self, args: Any, kws: Any) -> Any:
        return signature(f64x8, *args) if isinstance(args[0], F64x8) else None


@lower_builtin(operator.neg, F64x8)
def _lower_negation(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.fneg(args[0])


def _call(builder: Any, name: str, *args: Any) -> Any:
    """Call an LLVM intrinsic that acts lane by lane."""
    kind = ir.FunctionType(_VECTOR, [_VECTOR] * len(args))
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v8f64"), args)


@intrinsic
def pointer(typingctx: Any, array: Any, index: Any) -> Any:
    """Return the address of an element of a one-dimensional contiguous array.

    Helpers take addresses instead of arrays because each array argument costs atomic reference
    counts. The caller must keep the array alive.
    """

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        base = context.make_array(sig.args[0])(context, builder, args[0]).data
        return builder.gep(base, [args[1]])

    return types.CPointer(types.float64)(array, types.intp), codegen


def _lanewise(name: str, count: int) -> Any:
    """Return the code generator of an LLVM intrinsic taking `count` vectors or numbers."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        vectors = [_as_vector(context, builder, a, k) for a, k in zip(args, sig.args, strict=True)]
        return _call(builder, name, *vectors[:count])

    return codegen


@intrinsic
def broadcast(typingctx: Any, value: Any) -> Any:
    """Return a vector with the number in all lanes."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _as_vector(context, builder, args[0], sig.args[0])

    return f64x8(value), codegen


@intrinsic
def load(typingctx: Any, address: Any, index: Any) -> Any:
    """Return `address[index : index + 8]`."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = builder.gep(args[0], [args[1]])
        return builder.load(builder.bitcast(place, _VECTOR.as_pointer()), align=8)

    return f64x8(address, types.intp), codegen


@intrinsic
def load_head(typingctx: Any, address: Any, index: Any, size: Any) -> Any:
    """Return `address[index : index + 8]` with 0 for every element at `size` or beyond, which is not read."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = builder.bitcast(builder.gep(args[0], [args[1]]), _VECTOR.as_pointer())
        left = builder.sub(args[2], args[1])
        lefts = _splat(builder, left, _INTEGERS)
        mask = builder.icmp_signed("<", ir.Constant(_INTEGERS, list(range(LANES))), lefts)
        kind = ir.FunctionType(_VECTOR, [place.type, _INT32, mask.type, _VECTOR])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.masked.load.v8f64.p0")
        zeros = ir.Constant(_VECTOR, [0.0] * LANES)
        return builder.call(function, [place, _index(8), mask, zeros])

    return f64x8(address, types.intp, types.intp), codegen


@intrinsic
def store(typingctx: Any, address: Any, index: Any, value: Any) -> Any:
    """Write the vector to `address[index : index + 8]`."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = builder.gep(args[0], [args[1]])
        vector = _as_vector(context, builder, args[2], sig.args[2])
        builder.store(vector, builder.bitcast(place, _VECTOR.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.none(address, types.intp, value), codegen


@intrinsic
def pack4(typingctx: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Return the vector (a, b, c, d, 0, 0, 0, 0)."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        vector = ir.Constant(_VECTOR, [0.0] * LANES)
        for lane, value in enumerate(args):
            vector = builder.insert_element(vector, value, _index(lane))
        return vector

    return f64x8(types.float64, types.float64, types.float64, types.float64), codegen


@intrinsic
def lane(typingctx: Any, a: Any, index: Any) -> Any:
    """Return one lane as a float."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.extract_element(args[0], args[1])

    return types.float64(a, types.intp), codegen


@intrinsic
def fma(typingctx: Any, a: Any, b: Any, c: Any) -> Any:
    """Return `a * b + c`, rounded once."""
    return f64x8(a, b, c), _lanewise("fma", 3)


@intrinsic
def vabs(typingctx: Any, a: Any) -> Any:
    """Return the absolute value of each lane."""
    return f64x8(a), _lanewise("fabs", 1)


@intrinsic
def vsqrt(typingctx: Any, a: Any) -> Any:
    """Return the square root of each lane."""
    return f64x8(a), _lanewise("sqrt", 1)


@intrinsic
def vfloor(typingctx: Any, a: Any) -> Any:
    """Return the largest integer not above each lane."""
    return f64x8(a), _lanewise("floor", 1)


@intrinsic
def vround(typingctx: Any, a: Any) -> Any:
    """Return the integer nearest to each lane, ties to even."""
    return f64x8(a), _lanewise("rint", 1)


def _select(comparison: str) -> Any:
    """Return the code generator of `a <comparison> b ? c : d` (false where a or b is NaN)."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        a, b, c, d = (_as_vector(context, builder, v, k) for v, k in zip(args, sig.args, strict=True))
        return builder.select(builder.fcmp_ordered(comparison, a, b), c, d)

    return codegen


def _binary_select(comparison: str) -> Any:
    generate = _select(comparison)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        four = signature(f64x8, *(sig.args * 2))
        return generate(context, builder, four, tuple(args) * 2)

    return codegen


@intrinsic
def vmax(typingctx: Any, a: Any, b: Any) -> Any:
    """Return the larger of two lanes; `b` where either is NaN."""
    return f64x8(a, b), _binary_select(">")


@intrinsic
def vmin(typingctx: Any, a: Any, b: Any) -> Any:
    """Return the smaller of two lanes; `b` where either is NaN."""
    return f64x8(a, b), _binary_select("<")


@intrinsic
def where_positive(typingctx: Any, condition: Any, yes: Any, no: Any) -> Any:
    """Return `yes` in the lanes where the condition is above 0 and `no` elsewhere."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        zero = ir.Constant(_VECTOR, [0.0] * LANES)
        a, b, c = (_as_vector(context, builder, v, k) for v, k in zip(args, sig.args, strict=True))
        return builder.select(builder.fcmp_ordered(">", a, zero), b, c)

    return f64x8(condition, yes, no), codegen


def _reduction(build: str) -> Any:
    """Return the code generator that combines the two halves of a vector until one lane is left."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        vector, width = args[0], LANES
        while width > 1:
            width //= 2
            order = ir.VectorType(_INT32, width)
            lanes = (range(width), range(width, 2 * width))
            halves = [builder.shuffle_vector(vector, vector, ir.Constant(order, list(h))) for h in lanes]
            vector = getattr(builder, build)(*halves)
        return builder.extract_element(vector, _index(0))

    return codegen


@intrinsic
def total(typingctx: Any, a: Any) -> Any:
    """Return the sum of the lanes, always added in the same order."""
    return types.float64(a), _reduction("fadd")


@intrinsic
def product(typingctx: Any, a: Any) -> Any:
    """Return the product of the lanes, always multiplied in the same order."""
    return types.float64(a), _reduction("fmul")


@intrinsic
def exponent(typingctx: Any, a: Any) -> Any:
    """Return the k of each positive normal lane written as m * 2**k, with m in [sqrt(1/2), sqrt(2))."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        bits = builder.sub(builder.bitcast(args[0], _INTEGERS), _integers(_SQRT_HALF_BITS))
        power = builder.ashr(bits, _integers(_MANTISSA_BITS))
        # Adding the integer to the bits of the rounder makes it a float without a conversion.
        rounded = builder.bitcast(builder.add(power, _integers(_ROUNDER_BITS)), _VECTOR)
        return builder.fsub(rounded, ir.Constant(_VECTOR, [ROUNDER] * LANES))

    return f64x8(a), codegen


@intrinsic
def mantissa(typingctx: Any, a: Any) -> Any:
    """Return the m of each positive normal lane written as m * 2**k, with m in [sqrt(1/2), sqrt(2))."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        bits = builder.bitcast(args[0], _INTEGERS)
        power = builder.and_(builder.sub(bits, _integers(_SQRT_HALF_BITS)), _integers(-1 << _MANTISSA_BITS))
        return builder.bitcast(builder.sub(bits, power), _VECTOR)

    return f64x8(a), codegen


@intrinsic
def scale_by_power(typingctx: Any, a: Any, shifted: Any) -> Any:
    """Return `a * 2**k` where `shifted` is k + ROUNDER; k from -2000 to 2000, underflow is gradual."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        power = builder.sub(builder.bitcast(args[1], _INTEGERS), _integers(_ROUNDER_BITS))
        half = builder.ashr(power, _integers(1))
        result = args[0]
        for part in (half, builder.sub(power, half)):
            bits = builder.shl(builder.add(part, _integers(_EXPONENT_BIAS)), _integers(_MANTISSA_BITS))
            result = builder.fmul(result, builder.bitcast(bits, _VECTOR))
        return result

    return f64x8(a, shifted), codegen


@intrinsic
def flip_sign_if_odd(typingctx: Any, a: Any, shifted: Any) -> Any:
    """Return `-a` in the lanes where `shifted`, an integer k + ROUNDER, has an odd k, else `a`."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        sign = builder.shl(builder.bitcast(args[1], _INTEGERS), _integers(63))
        return builder.bitcast(builder.xor(builder.bitcast(args[0], _INTEGERS), sign), _VECTOR)

    return f64x8(a, shifted), codegen

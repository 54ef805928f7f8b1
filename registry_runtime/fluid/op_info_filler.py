"""What REGISTER_OPERATOR does with each class of its list: `details::OpInfoFiller<T>`.

The classes come in any order, and none says what it is for. In C++ an enumeration is computed of the
class's bases, and each of its values has a specialisation of OpInfoFiller, with one place of the OpInfo
to fill. Here that is a table from a base class to a function. A place that is full is an error, but for
InferShape: a functor overwrites what the operator's own class brought.

Source: `paddle/fluid/framework/details/op_registry.h`.
"""

from __future__ import annotations

from collections.abc import Callable

from registry_runtime.cxx import (
    CxxClass,
    CxxObject,
    check_publicly_derived,
    constructible,
    inheriting,
)
from registry_runtime.fluid.grad_op_maker import kind_of_maker
from registry_runtime.fluid.op_info import MemberFunction, OperatorObject, OpInfo
from registry_runtime.fluid.op_proto import OpAttrChecker
from registry_runtime.fluid.op_proto_maker import make_op_proto
from registry_runtime.phi.enforce import AlreadyExists, InvalidArgument, PreconditionNotMet


def fill(op_type: str, info: OpInfo, of: CxxClass) -> None:
    """`details::OpInfoFiller<T>`: what a class is for, its base says."""
    names = [of.name, *(base.name for base in of.bases())]
    for name in names:
        filler = FILLERS.get(name.removeprefix("paddle::"))
        if filler is not None:
            check_publicly_derived(of)
            filler(op_type, info, of)
            return
    known = "" if of.definition else " The text doesn't define it: is a header missing?"
    raise InvalidArgument(
        f"`{of}` is nothing that REGISTER_OPERATOR knows what to do with.{known}",
        hint="derive it from OperatorWithKernel, OpProtoAndCheckerMaker, SingleGradOpMaker<T>, "
        "InferShapeBase, VarTypeInference or NoNeedBufferVarsInference",
    )


def _once(there: object, message: str) -> None:
    if there is not None:
        raise AlreadyExists(message, hint="name one class of each kind")


def _made(of: CxxClass, *arguments: str) -> None:
    """Raises InvalidArgument where OpInfoFiller can't make its object of the class."""
    if not constructible(of, len(arguments)):
        taken = f"({', '.join(arguments)})" if arguments else "nothing"
        raise InvalidArgument(
            f"`{of}` has no constructor that takes {taken}, and Paddle makes its objects so",
            hint=f"write `{inheriting(of)}` in its public part"
            if arguments
            else "remove its constructors, or add one that takes nothing",
        )


def _operator(op_type: str, info: OpInfo, of: CxxClass) -> None:
    _once(info.op_class, f"OpCreator of {op_type} has been registered")
    _made(of, "type", "inputs", "outputs", "attrs")
    info.op_class = of
    infer_shape = of.method("InferShape")
    if infer_shape is not None:
        _once(info.infer_shape, f"Duplicate InferShapeFN of {op_type} has been registered")
        info.infer_shape = MemberFunction(OperatorObject(of, op_type), infer_shape)


def _maker(op_type: str, info: OpInfo, of: CxxClass) -> None:
    _once(info.proto, f"OpProto of {op_type} has been registered.")
    _made(of)
    info.proto = make_op_proto(op_type, of)
    if info.proto.comment is None:
        raise PreconditionNotMet(
            f"Fail to initialize {op_type}'s OpProto, because comment is not initialized.",
            hint="call AddComment in Make, with what the operator does",
        )
    info.checker = OpAttrChecker(info.proto)


def _grad_op_maker(op_type: str, info: OpInfo, of: CxxClass) -> None:
    own = (of.name, of.arguments), *((base.name, base.arguments) for base in of.bases())
    dygraph = any(str(arguments[0]) == _OP_BASE for _, arguments in own if arguments)
    if dygraph or any(name == _OF_DYGRAPH for name, _ in own):
        _once(info.dygraph_grad_op_maker, f"GradOpBaseMaker of {op_type} has been registered")
        _made(of, "type", "var_base_map_in", "var_base_map_out", "attrs", "inplace_map")
        info.dygraph_grad_op_maker = of
        return
    _once(info.grad_op_maker, f"GradOpDescMaker of {op_type} has been registered")
    _made(of, "fwd_op", "no_grad_set", "grad_to_var", "grad_block")
    info.grad_op_maker = of
    kind = kind_of_maker(of)
    info.use_default_grad_op_desc_maker = kind == "DefaultGradOpMaker"
    info.use_empty_grad_op_desc_maker = kind == "EmptyGradOpMaker"


_OP_BASE = "paddle::imperative::OpBase"
_OF_DYGRAPH = "paddle::imperative::GradOpBaseMakerBase"


def _infer_shape(op_type: str, info: OpInfo, of: CxxClass) -> None:
    # Overwrites what the operator's class brought.
    _made(of)
    call, infer_meta = of.method("operator()"), of.method("infer_meta_")
    if call is not None:
        info.infer_shape = MemberFunction(CxxObject(of), call)
    if infer_meta is not None:
        info.infer_meta = MemberFunction(CxxObject(of), infer_meta)


def _infer_var_type(op_type: str, info: OpInfo, of: CxxClass) -> None:
    _once(info.infer_var_type, f"VarTypeInference of {op_type} has been registered")
    _made(of)
    info.infer_var_type = of


def _infer_inplace(op_type: str, info: OpInfo, of: CxxClass) -> None:
    _once(info.infer_inplace, f"InplaceOpInference of {op_type} has been registered")
    _made(of)
    info.infer_inplace = of


def _no_need_buffer_vars(op_type: str, info: OpInfo, of: CxxClass) -> None:
    there = info.no_need_buffer_vars
    _once(there, f"NoNeedBufferVarsInference of {op_type} has been registered")
    _made(of)
    call = of.method("operator()")
    names = call.call_on(CxxObject(of), None) if call is not None else ()
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise InvalidArgument(
            f"{of}'s operator() returns no names",
            hint="DECLARE_NO_NEED_BUFFER_VARS_INFERER writes the class for a list of them",
        )
    info.no_need_buffer_vars = tuple(names)


Filler = Callable[[str, OpInfo, CxxClass], None]
FILLERS: dict[str, Filler] = {
    **dict.fromkeys(("framework::OperatorBase", "framework::OperatorWithKernel"), _operator),
    "framework::OpProtoAndCheckerMaker": _maker,
    "framework::GradOpDescMakerBase": _grad_op_maker,
    "imperative::GradOpBaseMakerBase": _grad_op_maker,
    "framework::SingleGradOpMaker": _grad_op_maker,
    "framework::DefaultGradOpMaker": _grad_op_maker,
    "framework::EmptyGradOpMaker": _grad_op_maker,
    "framework::VarTypeInference": _infer_var_type,
    "framework::InferShapeBase": _infer_shape,
    "framework::InplaceOpInference": _infer_inplace,
    "framework::NoNeedBufferVarsInference": _no_need_buffer_vars,
}

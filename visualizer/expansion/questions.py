"""What headers ask a compiler: the operands of `__has_builtin` and its like.

Collected from libc, libstdc++ and the headers of Paddle and PyTorch, so that one call of the compiler
answers them all; what is asked beyond these costs a call of its own, once.
"""

from __future__ import annotations

from collections.abc import Iterator

_ATTRIBUTES = """
always_inline aligned alloc_align alloc_size artificial assume_aligned cold const constructor deprecated
destructor diagnose_if enable_if error fallthrough format format_arg guarded_by gnu_inline hot
indirect_return init_priority lifetimebound malloc may_alias minsize musttail naked no_sanitize
no_profile_instrument_function no_sanitize_address no_sanitize_memory no_sanitize_thread
no_sanitize_undefined no_tail_call nodebug noinline nonnull nonstring noreturn nothrow packed
preserve_most pure require_constant_initialization require_explicit_initialization returns_nonnull
section sentinel trivial_abi unused used uninitialized visibility warn_unused_result warning weak
"""
_CXX_ATTRIBUTES = """
assume carries_dependency deprecated fallthrough indeterminate likely maybe_unused no_unique_address
nodiscard noreturn optimize_for_synchronized unlikely __no_unique_address__ clang::annotate
clang::coro_return_type clang::fallthrough clang::lifetimebound clang::no_destroy clang::no_sanitize
clang::noescape clang::reinitializes clang::require_constant_initialization clang::trivial_abi
gnu::always_inline gnu::cold gnu::fallthrough gnu::hot gnu::may_alias gnu::noinline gnu::pure
gnu::unused gnu::warn_unused_result gsl::Owner gsl::Pointer msvc::no_unique_address
"""
_BUILTINS = """
LINE FILE FUNCTION COLUMN addressof add_overflow addcll alloca amdgcn_is_invocable amdgcn_processor_is
assume assume_aligned bit_cast bitreverse8 bitreverse16 bitreverse32 bitreverse64 bswap16 bswap32
bswap64 bswap128 clz clzg clzl clzll constant_p ctz ctzg ctzl ctzll debugtrap dynamic_object_size
expect expect_with_probability fabsf128 fclose frame_address ia32_addcarryx_u64
is_constant_evaluated is_corresponding_member is_pointer_interconvertible_with_class isinf isnan
isinf_sign launder memcpy memmove memcmp mul_overflow nan object_size operator_delete operator_new
popcount popcountg popcountl popcountll prefetch readcyclecounter return_address rotateleft32
rotateleft64 sadd_overflow shufflevector smul_overflow source_location sprintf ssub_overflow
strcmp strlen sub_overflow trap uadd_overflow unreachable usub_overflow verbose_trap
"""
_TRAITS = """
__array_rank __is_aggregate __is_array __is_assignable __is_constructible __is_convertible
__is_layout_compatible __is_nothrow_constructible __is_pointer_interconvertible_base_of __is_same
__is_same_as __is_trivially_copyable __has_unique_object_representations __make_integer_seq
__integer_pack __reference_binds_to_temporary __reference_constructs_from_temporary
__reference_converts_from_temporary __remove_cv __remove_cvref __remove_reference
__type_pack_element __underlying_type isinf
"""
_FEATURES = """
address_sanitizer attribute_analyzer_noreturn attribute_deprecated_with_message
attribute_unavailable_with_message blocks c_alignas c_atomic c_generic_selections c_static_assert
c_thread_local cxx_atomic cxx_alias_templates cxx_auto_type cxx_constexpr cxx_decltype
cxx_deleted_functions cxx_exceptions cxx_generalized_initializers cxx_inheriting_constructors
cxx_inline_namespaces cxx_lambdas cxx_noexcept cxx_nullptr cxx_relaxed_constexpr cxx_rtti
cxx_rvalue_references cxx_static_assert cxx_strong_enums cxx_thread_local cxx_variable_templates
cxx_variadic_templates dataflow_sanitizer hwaddress_sanitizer is_trivially_constructible
is_trivially_copyable leak_sanitizer memory_sanitizer modules nullability objc_arc realtime_sanitizer
thread_sanitizer undefined_behavior_sanitizer __attribute_deprecated_with_message__
"""
_WARNINGS = """
array-bounds c++20-compat cast-qual ctor-dtor-privacy deprecated deprecated-declarations
literal-suffix maybe-uninitialized old-style-cast pedantic pmf-conversions psabi stringop-overflow
stringop-overread unused unused-local-typedefs unused-parameter unused-variable vla
"""


def questions() -> Iterator[tuple[str, str]]:
    """Operator and operand of each question."""
    for name in _ATTRIBUTES.split():
        yield "__has_attribute", name
        yield "__has_attribute", f"__{name}__"
    for name in _CXX_ATTRIBUTES.split():
        yield "__has_cpp_attribute", name
        yield "__has_c_attribute", name
    for name in _BUILTINS.split():
        yield "__has_builtin", f"__builtin_{name}"
    for name in _TRAITS.split():
        yield "__has_builtin", name
    for name in _FEATURES.split():
        yield "__has_feature", name
        yield "__has_extension", name
    for name in _WARNINGS.split():
        yield "__has_warning", f'"-W{name}"'

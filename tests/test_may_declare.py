"""What a header's text may declare, for all that its characters say."""

import pytest

from visualizer.workbench.header_declarations import may_declare


@pytest.mark.parametrize(
    "text",
    [
        "class Name;",
        "struct Name final : Base {",
        "template <typename T> class Name {};",
        "using Name = int;",
        "using other::Name;",
        "typedef int (*Name)(int);",
        "enum E { FIRST, Name, LAST };",
        "enum E { Name = 3 };",
        "Tensor Name(const Tensor& x);",
        "int* Name();",
        "std::vector<int> Name(int n);",
        "extern int Name;",
        "int Name[3];",
        "namespace Name {",
        "namespace outer::Name::inner {",
        "DECLARE_STUB(fn, Name);",
        "DECLARE_STUB(Name, fn);",
        "void (*Name)(int n);",
        "#define MAKE(x) \\\n  struct Name {}; \\\n",
        "#define other Name",
        "#define MAKE(x) x Name(x)",
    ],
)
def test_where_a_name_may_be_declared(text):
    assert may_declare(text, "Name")


@pytest.mark.parametrize(
    "text",
    [
        "// Name, in a comment",
        "/*\n * Name; in another\n */",
        "template <typename Name> void f(const Name& x);",
        "template <class Name, class Other = Name> struct S { Name* x; };",
        "template <typename... Name> void f();",
        "int x = static_cast<Name>(y) + Name::z;",
        "return Name(3);",
        "y = Name(3);",
        "Tensor add(const Tensor& Name, int n);",
        "Tensor add(const Tensor& x, Tensor* Name = nullptr);",
        "Tensor add(int n,\n           double Name) const;",
        "#define Name",
        "#define Name(x) x",
        "#define SPELLED(Name) x Name, #Name",
        "a.Name(3); a->Name(4);",
        "Names Nam OtherName",
        "const Name& x",
    ],
)
def test_where_it_is_only_used(text):
    assert not may_declare(text, "Name")

; What the editor tells apart by colour. Later patterns are drawn over earlier ones.
(type_identifier) @type
(primitive_type) @type
(namespace_identifier) @type
(call_expression function: (identifier) @function)
(function_declarator declarator: (identifier) @function)
["break" "case" "class" "const" "constexpr" "default" "else" "enum" "explicit" "extern" "for"
 "friend" "if" "inline" "namespace" "noexcept" "operator" "return" "sizeof" "static" "struct"
 "switch" "template" "typedef" "typename" "using" "virtual" "volatile" "while"] @keyword
(auto) @keyword
(this) @keyword
(number_literal) @literal
(string_literal) @literal
(raw_string_literal) @literal
(char_literal) @literal
(system_lib_string) @literal
(true) @literal
(false) @literal
["#define" "#elif" "#else" "#endif" "#if" "#ifdef" "#ifndef" "#include"] @directive
(preproc_directive) @directive
(preproc_def name: (identifier) @macro)
(preproc_function_def name: (identifier) @macro)
(preproc_params (identifier) @parameter)
(comment) @comment

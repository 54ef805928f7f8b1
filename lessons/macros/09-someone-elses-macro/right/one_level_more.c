// A library for command lines, as it might come with a program.
struct option { const char *flag; const void *variable; const char *help; };

#define PP_PASTE(a, b) a ## b
#define PP_CAT(a, b) PP_PASTE(a, b)
#define PP_CAT3(a, b, c) PP_CAT(PP_CAT(a, b), c)
#define PP_TEXT(x) #x
#define PP_STR(x) PP_TEXT(x)
#define PP_FOURTH(a, b, c, d, ...) d
#define PP_COUNT(...) PP_FOURTH(__VA_ARGS__, 3, 2, 1, 0)
#define PP_OVERLOAD(name, ...) PP_CAT(name, PP_COUNT(__VA_ARGS__))(__VA_ARGS__)

#define OPTION_TYPE_flag int
#define OPTION_TYPE_text const char *
#define OPTION_DEFAULT_flag 0
#define OPTION_DEFAULT_text ""

#define OPTION_VARIABLE(name) PP_CAT(option_, name)
#define OPTION_ENTRY(name) PP_CAT3(option_, name, _entry)

#define OPTION(...) PP_OVERLOAD(OPTION_, __VA_ARGS__)
#define OPTION_2(type, name) OPTION_DECLARE(type, name, PP_CAT(OPTION_DEFAULT_, type))
#define OPTION_3(type, name, value) OPTION_DECLARE(type, name, value)
#define OPTION_DECLARE(type, name, value) OPTION_DECLARED(type, name, value)
#define OPTION_DECLARED(type, name, value) \
    static PP_CAT(OPTION_TYPE_, type) OPTION_VARIABLE(name) = value; \
    static const struct option OPTION_ENTRY(name) = { \
        "--" PP_STR(name), &OPTION_VARIABLE(name), "default: " #value };

// The program.
#define DEFAULT_HOST "localhost"
OPTION(text, host, DEFAULT_HOST)
OPTION(flag, verbose)

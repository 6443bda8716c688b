/* basic_string.tcc: libstdc++'s, without our __noinline__, which it uses as the name of an
 * attribute. (clang 15 and later have __noinline__ as a keyword that is good for both.) */
#pragma GCC system_header
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/basic_string.tcc>
#pragma pop_macro("__noinline__")

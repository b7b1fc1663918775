#include "style/standard_names.h"

#include <array>
#include <functional>
#include <map>
#include <sstream>

namespace headlight::style {
namespace {

struct Row {
    const char* headers;  // any one of them suffices
    const char* names;    // with * also all names that begin so
};

constexpr const char* kContainers =
    "iterator array deque forward_list list map regex set span string string_view unordered_map "
    "unordered_set vector";

// Names by header. Later standard libraries include fewer headers indirectly. The table has the
// names in use and related ones.
constexpr std::array kRows = {
    Row{"", "size_t ptrdiff_t nullptr_t"},
    Row{"algorithm",
        "adjacent_find all_of any_of binary_search clamp copy copy_backward copy_if copy_n count "
        "count_if equal equal_range fill fill_n find find_end find_first_of find_if find_if_not "
        "for_each for_each_n generate generate_n includes inplace_merge is_heap is_partitioned "
        "is_permutation is_sorted is_sorted_until iter_swap lexicographical_compare lower_bound "
        "make_heap max max_element merge min min_element minmax minmax_element mismatch "
        "next_permutation none_of nth_element partial_sort partial_sort_copy partition "
        "partition_copy partition_point pop_heap prev_permutation push_heap remove remove_copy "
        "remove_copy_if remove_if replace replace_copy replace_copy_if replace_if reverse "
        "reverse_copy rotate rotate_copy sample search search_n set_difference set_intersection "
        "set_symmetric_difference set_union shift_left shift_right shuffle sort sort_heap "
        "stable_partition stable_sort swap_ranges transform unique unique_copy upper_bound "
        "ranges"},
    Row{"any", "any any_cast bad_any_cast make_any"},
    Row{"array", "array to_array"},
    Row{"atomic", "atomic atomic_flag atomic_ref atomic_thread_fence memory_order memory_order_*"},
    Row{"bit",
        "bit_cast bit_ceil bit_floor bit_width countl_one countl_zero countr_one countr_zero "
        "endian has_single_bit popcount rotl rotr"},
    Row{"bitset", "bitset"},
    Row{"cctype",
        "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper "
        "isxdigit tolower toupper"},
    Row{"charconv", "chars_format from_chars from_chars_result to_chars to_chars_result"},
    Row{"chrono", "chrono chrono_literals"},
    Row{"clocale", "lconv localeconv setlocale"},
    Row{"cmath",
        "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 "
        "expm1 fabs fdim floor fma fmax fmin fmod fpclassify frexp hypot ilogb isfinite isinf "
        "isnan isnormal ldexp lerp lgamma llround log log10 log1p log2 logb lrint lround modf nan "
        "nanf nearbyint nextafter pow remainder rint round scalbn signbit sin sinh sqrt tan tanh "
        "tgamma trunc"},
    Row{"cmath cstdlib", "abs"},
    Row{"compare",
        "partial_ordering strong_ordering three_way_comparable weak_ordering is_eq is_neq"},
    Row{"complex", "complex polar"},
    Row{"concepts",
        "assignable_from constructible_from convertible_to copyable default_initializable "
        "derived_from equality_comparable floating_point integral invocable movable predicate "
        "regular regular_invocable same_as semiregular signed_integral totally_ordered "
        "unsigned_integral"},
    Row{"condition_variable", "condition_variable condition_variable_any cv_status"},
    Row{"coroutine", "coroutine_handle noop_coroutine suspend_always suspend_never"},
    Row{"csignal", "raise sig_atomic_t signal"},
    Row{"cstddef", "byte max_align_t to_integer"},
    Row{"cstdint",
        "int8_t int16_t int32_t int64_t intmax_t intptr_t int_* uint8_t uint16_t uint32_t "
        "uint64_t uintmax_t uintptr_t uint_*"},
    Row{"cstdio",
        "FILE fclose feof ferror fflush fgets fopen fprintf fputc fputs fread fscanf fseek ftell "
        "fwrite getchar perror printf putc putchar puts rename rewind scanf snprintf "
        "sprintf sscanf tmpfile ungetc vfprintf vprintf vsnprintf"},
    Row{"cstdlib",
        "_Exit abort aligned_alloc at_quick_exit atexit atof atoi atol atoll calloc div exit free "
        "getenv labs llabs malloc quick_exit rand realloc srand strtod strtof strtol strtoll "
        "strtoul strtoull system"},
    Row{"cstring",
        "memchr memcmp memcpy memmove memset strcat strchr strcmp strcoll strcpy strcspn strerror "
        "strlen strncmp strncpy strpbrk strrchr strspn strstr strtok"},
    Row{"ctime",
        "asctime clock clock_t ctime difftime gmtime localtime mktime strftime time time_t "
        "timespec tm"},
    Row{"deque", "deque"},
    Row{"exception stdexcept new", "exception"},
    Row{"exception",
        "current_exception exception_ptr get_terminate make_exception_ptr "
        "nested_exception rethrow_exception rethrow_if_nested set_terminate terminate "
        "throw_with_nested uncaught_exceptions"},
    Row{"filesystem", "filesystem"},
    Row{"format", "format format_to vformat"},
    Row{"fstream", "basic_fstream filebuf fstream ifstream ofstream"},
    Row{"functional",
        "bad_function_call bind bind_front bit_and bit_not bit_or bit_xor cref divides equal_to "
        "function greater greater_equal identity invoke less less_equal logical_and logical_not "
        "logical_or mem_fn minus modulus multiplies negate not_equal_to not_fn plus ref "
        "reference_wrapper"},
    Row{"functional bitset memory optional string string_view system_error thread variant", "hash"},
    Row{"future",
        "async future future_error future_status launch packaged_task promise "
        "shared_future"},
    Row{"initializer_list", "initializer_list"},
    Row{"iomanip", "get_time put_time quoted setfill setprecision setw"},
    Row{"ios iostream istream ostream fstream sstream iomanip",
        "boolalpha dec defaultfloat fixed hex ios ios_base left oct right scientific skipws "
        "streamoff streampos streamsize"},
    Row{"iostream", "cerr cin clog cout"},
    Row{"istream iostream fstream sstream", "istream ws"},
    Row{"iterator",
        "advance back_insert_iterator back_inserter bidirectional_iterator contiguous_iterator "
        "contiguous_iterator_tag distance forward_iterator forward_iterator_tag front_inserter "
        "input_iterator input_iterator_tag insert_iterator inserter istream_iterator "
        "istreambuf_iterator iter_reference_t iter_value_t iterator_traits make_move_iterator "
        "make_reverse_iterator move_iterator next ostream_iterator ostreambuf_iterator "
        "output_iterator prev random_access_iterator random_access_iterator_tag reverse_iterator "
        "sentinel_for"},
    Row{kContainers, "begin cbegin cend crbegin crend data empty end rbegin rend size ssize"},
    Row{"latch", "latch"},
    Row{"limits", "numeric_limits"},
    Row{"list", "list"},
    Row{"locale", "locale"},
    Row{"map", "map multimap"},
    Row{"memory",
        "addressof align allocate_shared allocator allocator_traits assume_aligned bad_weak_ptr "
        "const_pointer_cast construct_at default_delete destroy destroy_at destroy_n "
        "dynamic_pointer_cast enable_shared_from_this make_shared make_unique owner_less "
        "pointer_traits shared_ptr static_pointer_cast to_address uninitialized_* unique_ptr "
        "weak_ptr"},
    Row{"memory_resource", "pmr"},
    Row{"mutex",
        "call_once defer_lock lock lock_guard mutex once_flag recursive_mutex scoped_lock "
        "timed_mutex try_lock"},
    Row{"mutex shared_mutex", "unique_lock"},
    Row{"new",
        "align_val_t bad_alloc bad_array_new_length get_new_handler launder new_handler "
        "nothrow nothrow_t set_new_handler"},
    Row{"numbers", "numbers"},
    Row{"numeric",
        "accumulate adjacent_difference exclusive_scan gcd inclusive_scan inner_product "
        "iota lcm midpoint partial_sum reduce transform_reduce"},
    Row{"optional", "bad_optional_access make_optional nullopt nullopt_t optional"},
    Row{"ostream iostream fstream sstream", "endl ends flush ostream"},
    Row{"queue", "priority_queue queue"},
    Row{"random",
        "bernoulli_distribution default_random_engine discrete_distribution "
        "exponential_distribution generate_canonical mersenne_twister_engine minstd_rand mt19937 "
        "mt19937_64 normal_distribution poisson_distribution random_device seed_seq "
        "uniform_int_distribution uniform_real_distribution"},
    Row{"ranges", "views"},
    Row{"ratio", "giga kilo mega micro milli nano ratio"},
    Row{"regex",
        "cmatch csub_match regex regex_* smatch sregex_iterator sregex_token_iterator "
        "ssub_match"},
    Row{"semaphore", "binary_semaphore counting_semaphore"},
    Row{"set", "multiset set"},
    Row{"shared_mutex", "shared_lock shared_mutex"},
    Row{"source_location", "source_location"},
    Row{"span", "as_bytes as_writable_bytes dynamic_extent span"},
    Row{"sstream", "istringstream ostringstream stringbuf stringstream"},
    Row{"stack", "stack"},
    Row{"stdexcept",
        "domain_error invalid_argument length_error logic_error out_of_range "
        "overflow_error range_error runtime_error underflow_error"},
    Row{"stop_token thread", "stop_callback stop_source stop_token"},
    Row{"streambuf iostream fstream sstream", "streambuf"},
    Row{"string",
        "basic_string getline stod stof stoi stol stold stoll stoul stoull string "
        "string_literals to_string to_wstring u16string u32string u8string wstring"},
    Row{"string string_view", "char_traits"},
    Row{"string_view",
        "basic_string_view string_view string_view_literals u16string_view "
        "u32string_view u8string_view wstring_view"},
    Row{"system_error",
        "error_category error_code error_condition generic_category "
        "make_error_code system_category system_error"},
    Row{"system_error charconv", "errc"},
    Row{"thread", "jthread this_thread thread"},
    Row{"tuple", "apply forward_as_tuple ignore make_from_tuple make_tuple tie tuple tuple_cat"},
    Row{"utility tuple variant array", "get tuple_element tuple_element_t tuple_size tuple_size_v"},
    Row{"type_traits",
        "add_const* add_pointer* aligned_storage common_type* conditional* conjunction* decay* "
        "disjunction* enable_if* extent* false_type has_* integral_constant "
        "invoke_result* is_* make_signed* make_unsigned* negation* rank* remove_c* remove_pointer* "
        "remove_reference* true_type type_identity* underlying_type* void_t"},
    Row{"typeindex", "type_index"},
    Row{"typeinfo", "bad_cast type_info"},
    Row{"unordered_map", "unordered_map unordered_multimap"},
    Row{"unordered_set", "unordered_multiset unordered_set"},
    Row{"utility",
        "as_const cmp_* declval exchange forward in_place in_place_* in_range "
        "index_sequence index_sequence_for integer_sequence make_index_sequence "
        "make_pair move move_if_noexcept pair piecewise_construct swap to_underlying"},
    Row{"variant", "bad_variant_access get_if holds_alternative monostate variant variant_* visit"},
    Row{"vector", "vector"},
    Row{kContainers, "erase erase_if"},
};

struct Names {
    std::map<std::string, std::vector<std::string>, std::less<>> whole, beginnings;
};

std::vector<std::string> split_at_blanks(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

Names names_of_table() {
    Names names;
    for (const Row& row : kRows)
        for (std::string name : split_at_blanks(row.names)) {
            const bool is_whole = name.back() != '*';
            if (!is_whole) name.pop_back();
            (is_whole ? names.whole : names.beginnings)[name] = split_at_blanks(row.headers);
        }
    return names;
}

}  // namespace

const std::vector<std::string>* find_headers(std::string_view name) {
    static const Names names = names_of_table();
    if (const auto found = names.whole.find(name); found != names.whole.end())
        return &found->second;
    for (const auto& [beginning, headers] : names.beginnings)
        if (name.starts_with(beginning)) return &headers;
    return nullptr;
}

}  // namespace headlight::style

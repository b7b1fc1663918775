// Edge lists, Matrix Market, citations.
#include <utility>

#include "bad/bad_inputs.h"

namespace headlight::bad {
namespace {

using namespace std::string_literals;

/// Inputs that every reader of lines must refuse; `front` is the beginning of its messages.
std::vector<BadInput> broken_lines(const std::string& front) {
    return {
        {"UTF-16, little-endian",
         "\xFF\xFE"
         "a\0 \0b\0"s,
         front + " is in UTF-16; save it as UTF-8"},
        {"UTF-16, big-endian", "\xFE\xFF\0a\0 \0b"s, front + " is in UTF-16; save it as UTF-8"},
        {"NUL byte", "a 1\n\0"s,
         front + "2: there is a NUL byte in this line; the file must be plain text"},
        {"a byte that is not UTF-8", "a 1\n1 \xE9",
         front + "2: this line is not valid UTF-8; save the file as UTF-8"},
        {"a line of 17 million characters", repeated("a", 17'000'000),
         front + "1: this line has 17000000 bytes; at most 16777216 are read"},
    };
}

void append(std::vector<BadInput>& to, std::vector<BadInput> rows) {
    for (BadInput& row : rows) to.push_back(std::move(row));
}

/// The edges between every two of n_nodes nodes.
std::string every_edge(int n_nodes) {
    std::string lines;
    std::vector<std::string> ends;  // of the lines: one for each node so far
    for (int i = 0; i < n_nodes; ++i) {
        const std::string begin = std::to_string(i);
        for (const std::string& end : ends) lines.append(begin).append(end);
        ends.push_back(" " + begin + "\n");
    }
    return lines;
}

std::string many_nodes(int count) {
    std::string lines;
    for (int k = 0; k < count; ++k) lines += std::to_string(k) + "\n";
    return lines;
}

}  // namespace

std::vector<BadInput> edge_list_inputs() {
    std::vector<BadInput> rows = {
        {"empty", "",
         "[edge list] input: there are no nodes; write two names on a line, or one name for a node "
         "without edges"},
        {"comments only", "# a b\n% c d\n\n",
         "[edge list] input: there are no nodes; write two names on a line, or one name for a node "
         "without edges"},
        {"one column", "a\nb\n", "read"},
        {"text in the weight", "a b heavy\n",
         "[edge list] input:1: the weight 'heavy' is not a finite number; if the second cell is "
         "the "
         "kind of an edge, call the file .sif; if the third one is, name the columns in a first "
         "line: source, target, kind"},
        {"data that are not closed", "a b {'weight': 2",
         "[edge list] input:1: '{'weight':' has a bracket without its partner, as in a list, a "
         "dictionary or a program; write two names on a line, without brackets; if this is an edge "
         "list, name its columns in a first line: source target"},
        {"data without a key", "a b {2}",
         "[edge list] input:1: the data '{2}' cannot be read; they must be like {'weight': 0.5}"},
        {"data with a weight that is a list", "a b {'weight': [1, 2]}",
         "[edge list] input:1: the weight '[1, 2]' is not a finite number"},
        {"one name with data", "a {'x': 1}",
         "[edge list] input:1: there is one name before the data '{'x': 1}', as in a multiline "
         "adjacency list; write two, as networkx.write_edgelist does"},
        {"arrows", "a -> b\nb -> c 2\n", "read"},
        {"a column of directions", "source,target,type\na,b,Directed\nb,c,undirected\n",
         "read: 1 undirected edge of a directed graph taken as one edge each way"},
        {"weight nan", "a b 1\nb c nan\n",
         "[edge list] input:2: the weight 'nan' is not a finite number; write it with a decimal "
         "point, such as 0.5"},
        {"weight inf", "a,b,inf",
         "[edge list] input:1: the weight 'inf' is not a finite number; write it with a decimal "
         "point, such as 0.5"},
        {"weight 1e400", "a,b,1e400",
         "[edge list] input:1: the weight '1e400' is too large for a number of 32 bits; write at "
         "most 3.4e38"},
        {"weight 1e-50", "source,target,weight\na,b,1e-50",
         "[edge list] input:2: the weight '1e-50' is too small for a number of 32 bits; write 0, "
         "or "
         "at least 1.2e-38"},
        {"weight 0x10", "a,b,0x10",
         "[edge list] input:1: the weight '0x10' is not a finite number; write it with a decimal "
         "point, such as 0.5"},
        {"decimal comma between semicolons", "a;b;1,5",
         "[edge list] input:1: the weight '1,5' is not a finite number; write it with a decimal "
         "point, such as 0.5"},
        {"weight +1", "a b +1",
         "[edge list] input:1: the weight '+1' is not a finite number; write it with a decimal "
         "point, such as 0.5"},
        {"weight -0", "a b -0", "read"},
        {"four columns", "a b 1 2",
         "[edge list] input:1: this line has 4 columns; it can have two names and a weight, unless "
         "the first line names the columns source, target and weight"},
        {"empty first name", ",b",
         "[edge list] input:1: the first name is empty; write two names, or one name for a node "
         "without edges"},
        {"empty second name with a weight", "a,,2",
         "[edge list] input:1: the second name is empty, but there is a weight; write both names"},
        {"quote that is not closed", "\"a,b\nc,d",
         "[edge list] input:1: the quote before 'a,b' is not closed in its cell on this line; "
         "close "
         "it there, or write a name that has a quote between quotes, with two for each of its own"},
        {"quoted names with separators", "\"a,\"\"b\"\"\",\"c d\"\n", "read"},
        {"byte order mark, CR LF",
         "\xEF\xBB\xBF"
         "a b\r\nb c\r\n",
         "read"},
        {"CR alone", "a b\rb c\r", "read"},
        {"no final line end", "a b\nb c", "read"},
        {"self-edge, duplicate, both directions", "a a\na b\nb a\na b\n",
         "read: 2 duplicate edges left out, 1 self-edge"},
        {"a number of 19 digits as a name", "1000000000000000000 -1\n", "read"},
        {"a name of 10 million characters", "a " + repeated("b", 10'000'000),
         "[edge list] input:1: the name of a node has 10000000 bytes; at most 1000 are read"},
        {"10 million blanks", repeated(" ", 10'000'000) + "\na b", "read"},
        {"10 million separators", "a,b\n" + repeated(",", 10'000'000), "read"},
        {"names that turn the reading direction", "\u202Ea b\u2066\n", "read"},
        {"2,000,001 edges", every_edge(2001),
         "[edge list] input:2000001: there are more than 2,000,000 edges; use a part of the graph"},
        {"200,001 nodes", many_nodes(200'001),
         "[edge list] input:200001: there are more than 200,000 nodes; use a part of the graph"},
        {"one node", "a\n", "read"},
        {"header without edges", "source,target\n",
         "[edge list] input: there are no nodes; write two names on a line, or one name for a node "
         "without edges"},
        {"header with an unknown weight", "source,target,weight\na,b,x\n",
         "[edge list] input:2: the weight 'x' is not a finite number; write it with a decimal "
         "point, such as 0.5"},
    };
    append(rows, broken_lines("[edge list] input:"));
    return rows;
}

std::vector<BadInput> matrix_market_inputs() {
    const std::string head = "%%MatrixMarket matrix coordinate real general\n";
    const std::string lower = "%%MatrixMarket matrix coordinate real symmetric\n";
    std::vector<BadInput> rows = {
        {"empty", "", "[Matrix Market] input: is empty"},
        {"wrong banner", "%%MatrixMarket vector coordinate real general\n",
         "[Matrix Market] input:1: the first line must be like '%%MatrixMarket matrix coordinate "
         "real general'"},
        {"banner cut off", "%%MatrixMarket matrix coord",
         "[Matrix Market] input:1: the first line must be like '%%MatrixMarket matrix coordinate "
         "real general'"},
        {"a pattern of a symmetric matrix",
         "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n",
         "read: 1 self-edge"},
        {"unknown layout", "%%MatrixMarket matrix list real general\n",
         "[Matrix Market] input:1: 'list' cannot be read; it can be 'coordinate' or 'array'"},
        {"complex", "%%MatrixMarket matrix coordinate complex general\n",
         "[Matrix Market] input:1: 'complex' cannot be read; it can be 'real', 'integer' or "
         "'pattern'"},
        {"hermitian", "%%MatrixMarket matrix coordinate real hermitian\n",
         "[Matrix Market] input:1: 'hermitian' cannot be read; it can be 'general', 'symmetric' or "
         "'skew-symmetric'"},
        {"array of patterns", "%%MatrixMarket matrix array pattern general\n1 1\n",
         "[Matrix Market] input:1: 'pattern' cannot be read; it can be 'real' or 'integer'"},
        {"sizes missing", head,
         "[Matrix Market] input: the line with the sizes is missing; the file is incomplete"},
        {"sizes are no numbers", head + "a b c\n",
         "[Matrix Market] input:2: 'a' is not a whole number from 0 to 18446744073709551615"},
        {"negative size", head + "-3 3 1\n",
         "[Matrix Market] input:2: '-3' is not a whole number from 0 to 18446744073709551615"},
        {"two sizes", head + "3 3\n",
         "[Matrix Market] input:2: the sizes must be 3 whole numbers: rows, columns, entries"},
        {"not square", head + "3 4 0\n",
         "[Matrix Market] input:2: the matrix is 3 × 4; the matrix of a graph must be square"},
        {"10^18 rows", head + "1000000000000000000 1000000000000000000 1\n",
         "[Matrix Market] input:2: there are more than 200,000 nodes; use a part of the graph"},
        {"size beyond 64 bits", head + "99999999999999999999 3 1\n",
         "[Matrix Market] input:2: '99999999999999999999' is not a whole number from 0 to "
         "18446744073709551615"},
        {"10^18 entries", head + "3 3 1000000000000000000\n",
         "[Matrix Market] input:2: there are more than 2,000,000 edges; use a part of the graph"},
        {"index 0", head + "3 3 1\n0 1 1\n",
         "[Matrix Market] input:3: the index 0 is not between 1 and 3"},
        {"index beyond the size", head + "3 3 1\n1 4 1\n",
         "[Matrix Market] input:3: the index 4 is not between 1 and 3"},
        {"fractional index", head + "3 3 1\n1 1.5 1\n",
         "[Matrix Market] input:3: '1.5' is not a whole number from 0 to 18446744073709551615"},
        {"fewer entries than promised", head + "3 3 2\n1 2 1\n",
         "[Matrix Market] input: only 1 of the 2 entries are there; the file is incomplete"},
        {"more entries than promised", head + "3 3 1\n1 2 1\n2 3 1\n",
         "[Matrix Market] input:4: there are more entries than the sizes say, which is 1"},
        {"entry without value", head + "3 3 1\n1 2\n",
         "[Matrix Market] input:3: this entry has 2 numbers; it must have 3: row, column, value"},
        {"entry with two values", head + "3 3 1\n1 2 3 4\n",
         "[Matrix Market] input:3: this entry has 4 numbers; it must have 3: row, column, value"},
        {"value nan", head + "3 3 1\n1 2 nan\n",
         "[Matrix Market] input:3: the value 'nan' is not a finite number"},
        {"value 1e400", head + "3 3 1\n1 2 1e400\n",
         "[Matrix Market] input:3: the value '1e400' is too large for a number of 32 bits; write "
         "at most 3.4e38"},
        {"value -0 is no edge", head + "3 3 1\n1 2 -0\n", "read"},
        {"the same entry twice", head + "3 3 2\n1 2 1\n1 2 5\n", "read: 1 duplicate edge left out"},
        {"above the diagonal of a symmetric matrix", lower + "3 3 1\n1 2 1\n",
         "[Matrix Market] input:3: this entry is above the diagonal; a symmetric or skew-symmetric "
         "matrix stores only its lower half"},
        {"diagonal of a skew-symmetric matrix",
         "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 2 1\n",
         "[Matrix Market] input:3: this entry is on the diagonal, which a skew-symmetric matrix "
         "does not store"},
        {"values of an array missing", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n",
         "[Matrix Market] input: values are missing; the file is incomplete"},
        {"too many values of an array", "%%MatrixMarket matrix array real general\n1 1\n1\n2\n",
         "[Matrix Market] input:4: there are more values than the sizes say"},
        {"two values on a line of an array", "%%MatrixMarket matrix array real general\n1 1\n1 2\n",
         "[Matrix Market] input:3: this line has 2 values; a line of an array must have one"},
        {"an array of 200,000 × 200,000",
         "%%MatrixMarket matrix array real general\n200000 200000\n1\n",
         "[Matrix Market] input: values are missing; the file is incomplete"},
        {"no rows", head + "0 0 0\n",
         "[Matrix Market] input:2: there are no nodes; a graph needs at least one"},
        {"comments after the sizes", head + "2 2 1\n% here\n\n1 2 1\n", "read"},
    };
    append(rows,
           {{"UTF-16", "\xFF\xFE%\0%\0"s, "[Matrix Market] input: is in UTF-16; save it as UTF-8"},
            {"NUL byte", head + "3 3 1\n1 2 \0"s,
             "[Matrix Market] input:3: there is a NUL byte in this line; the file must be plain "
             "text"}});
    return rows;
}

std::vector<BadInput> citation_inputs() {
    const std::string table = "1\t0\t1\tred\n2\t1\t0.5\tblue\n\f";
    std::vector<BadInput> rows = {
        {"empty", "",
         "[node table] input: there are no nodes; a line has a name, features and perhaps a label"},
        {"rows of different length", "1\t0\t1\tred\n2\t1\tblue\n",
         "[node table] input:2: this line has 3 cells; all lines must have as many as the first "
         "node, 4"},
        {"the same paper twice", "1\t0\t1\tred\n1\t1\t1\tblue\n",
         "[node table] input:2: two nodes are called '1'; names must differ"},
        {"a feature that is no number", "1\t0\t1\tred\n2\tx\t1\tblue\n",
         "[node table] input:2: feature 1, 'x', is not a finite number"},
        {"feature nan", "1\t0\t1\tred\n2\tnan\t1\tblue\n",
         "[node table] input:2: feature 1, 'nan', is not a finite number"},
        {"feature 1e400", "1\t0\t1\tred\n2\t1e400\t1\tblue\n",
         "[node table] input:2: feature 1, '1e400', is too large for a number of 32 bits; write at "
         "most 3.4e38"},
        {"no features", "1\n2\n",
         "[node table] input:1: this line has no features; after the name a line needs at least "
         "one number"},
        {"labels only", "paper\tlabel\n1\tred\n2\tblue\n",
         "[node table] input:2: this line has no features; after the name a line needs at least "
         "one number"},
        {"a label with blanks", "1\t0\t1\tdeep red\n", "read: groups 1 'deep red'"},
        {"features that are not 0 or 1", "1\t0.25\t-3e4\tred\n", "read: groups 1 'red'"},
        {"100,001 features", "a" + repeated("\t1", 100'001) + "\n",
         "[node table] input:1: this line has 100001 features; at most 100,000 are read"},
        {"a cited paper that is not in the table", table + "1\t2\n1\t3\n4\t2\n",
         "read: 2 edges of unknown nodes left out, groups 1 'red', 2 'blue'"},
        {"three names on a line", table + "1\t2\t3\n",
         "[citations] cites:1: this line has 3 names; it must have two, as in 'cited TAB citing'"},
        {"one name on a line", table + "1\n",
         "[citations] cites:1: this line has 1 name; it must have two, as in 'cited TAB citing'"},
        {"no citations", table, "read: groups 1 'red', 2 'blue'"},
        {"a paper that cites itself, twice", table + "1\t1\n1\t1\n",
         "read: 1 duplicate edge left out, 1 self-edge, groups 1 'red', 2 'blue'"},
        {"NUL byte in the citations", table + "1\t\0002\n"s,
         "[citations] cites:1: there is a NUL byte in this line; the file must be plain text"},
    };
    append(rows, broken_lines("[node table] input:"));
    return rows;
}

std::vector<BadInput> gml_inputs() {
    std::vector<BadInput> rows = {
        {"empty", "", "[GML] input: line 1: there is no 'graph [' in it"},
        {"no nodes", "graph [\n]",
         "[GML] input: line 2: there are no nodes; a graph needs at least one"},
        {"a key without value", "graph [ node [ id ] ]",
         "[GML] input: line 1: a value is missing after a key"},
        {"a value without key", "graph [ \"a\" ]",
         "[GML] input: line 1: '\"' stands where a key must be"},
        {"two ids", "graph [ node [ id 1 id 2 ] ]",
         "[GML] input: line 1: this node has no id, or more than one"},
        {"the same id twice", "graph [ node [ id 1 ] node [ id 1 ] ]",
         "[GML] input: line 1: two nodes are called '1'; names must differ"},
        {"an id that is a list", "graph [ node [ id [ a 1 ] ] ]",
         "[GML] input: line 1: this node has no id, or more than one"},
        {"an edge before its nodes", "graph [ edge [ source 1 target 1 ] ]",
         "[GML] input: line 1: there is no node '1' before this edge"},
        {"a direction of 2", "graph [ directed 2 ]",
         "[GML] input: line 1: 'directed' must be 0 or 1"},
        {"a weight that is no number",
         "graph [ node [ id 1 ]\nedge [ source 1 target 1 weight x ] ]",
         "[GML] input: line 2: the weight 'x' is not a finite number"},
        {"a list that is not closed", "graph [ node [ id 1 ]",
         "[GML] input: line 1: a ] is missing at the end; the file is incomplete"},
        {"1 million levels", "graph [ " + repeated("a [ ", 1'000'000),
         "[GML] input: line 1: nested too deep; at most 64 levels are read"},
        {"a reference that is not closed",
         "graph [ node [ id 1 label \"a & b &#x; &#99999999;\" ] ]", "read"},
        {"a list of values", "graph [ node [ id 1 tag \"a\" tag \"b\" ] ]",
         "read: without effect: attribute 'tag' of nodes or edges, since it is a list"},
    };
    append(rows, broken_lines("[GML] input:"));
    return rows;
}

std::vector<BadInput> dot_inputs() {
    std::vector<BadInput> rows = {
        {"empty", "", "[DOT] input: line 1: a name is missing at the end of the file"},
        {"another word", "tree { }",
         "[DOT] input: line 1: 'tree' stands where 'graph' or 'digraph' must be"},
        {"no brace", "graph a", "[DOT] input: line 1: { is missing at the end of the file"},
        {"no nodes", "graph { }",
         "[DOT] input: line 1: there are no nodes; a graph needs at least one"},
        {"an attribute without value", "graph { a [x=] }",
         "[DOT] input: line 1: a name is missing before ']'"},
        {"a comment that is not closed", "graph { a /* }",
         "[DOT] input: line 1: a comment is not closed by */"},
        {"HTML that is not closed", "graph { a [label=<<b>] }",
         "[DOT] input: line 1: a text in < > is not closed"},
        {"1 million levels", "graph " + repeated("{", 1'000'000),
         "[DOT] input: line 1: nested too deep; at most 64 levels are read"},
        {"the same attribute twice", "graph { a [age=1, age=2]; a [age=3] }",
         "read: features of nodes: 'age'"},
        {"an edge of no nodes", "graph { { } -- a }", "read"},
        {"a self-edge", "strict graph { a -- a }", "read: 1 self-edge"},
    };
    append(rows, broken_lines("[DOT] input:"));
    return rows;
}

std::vector<BadInput> pajek_inputs() {
    std::vector<BadInput> rows = {
        {"empty", "", "[Pajek] input:0: there are no nodes; a graph needs at least one"},
        {"a line before the vertices", "1 2\n",
         "[Pajek] input:1: the first line must begin with *Vertices or *Network"},
        {"no vertices", "*Vertices 0\n",
         "[Pajek] input:1: *Vertices must be followed by the number of nodes"},
        {"10^18 vertices", "*Vertices 1000000000000000000\n",
         "[Pajek] input:1: there are more than 200,000 nodes; use a part of the graph"},
        {"vertices twice", "*Vertices 1\n*Vertices 1\n",
         "[Pajek] input:2: there are *Vertices a second time; only one network can be read"},
        {"an edge of one node", "*Vertices 1\n*Edges\n1\n",
         "[Pajek] input:3: this line must have two numbers of nodes"},
        {"an edge of node 0", "*Vertices 1\n*Edges\n0 1\n",
         "[Pajek] input:3: '0' is not the number of a node, 1 to 1"},
        {"a weight that is no number", "*Vertices 1\n*Edges\n1 1 x\n",
         "[Pajek] input:3: the weight 'x' is not a finite number"},
        {"a row of another length", "*Vertices 2\n*Matrix\n0 1 0\n",
         "[Pajek] input:3: this row has 3 numbers; the matrix has 2 rows and columns"},
        {"a quote that is not closed", "*Vertices 1\n1 \"a\n", "read"},
    };
    append(rows,
           {{"NUL byte", "*Vertices 1\n1 \0"s,
             "[Pajek] input:2: there is a NUL byte in this line; the file must be plain text"}});
    return rows;
}

std::vector<BadInput> adjacency_inputs() {
    const std::string front =
        "[adjacency matrix] input: the matrix of a graph has as many rows as columns, all of "
        "numbers";
    return {
        {"empty", "", front},
        {"more columns than rows", "0 1 1 0\n1 0 0 1\n", front + "; here are 2 lines of 4 cells"},
        {"a word among the numbers", "0 1 0\n1 x 1\n0 1 0\n", front},
        {"nan", "0 1 0\n1 nan 1\n0 1 0\n",
         "[adjacency matrix] input:2: the entry 'nan' is not a finite number"},
        {"two rows of the same name", ",a,a\na,0,1\na,1,0\n",
         front + "; here are 3 lines of 3 cells"},
        {"an empty name", ",a,\na,0,1\n,1,0\n", front + "; here are 3 lines of 3 cells"},
        {"a node that is its own neighbour", "1 0 0\n0 0 0\n0 0 0\n",
         "read: 1 self-edge, read as an adjacency matrix"},
        {"a list without nodes", "\f# a\n",
         "[adjacency list] input:1: there are no nodes; a graph needs at least one"},
        {"a list with a node twice", "\fa b c\na d\n", "read: read as an adjacency list"},
        {"a list with an empty name", "\fa,,b\n",
         "[adjacency list] input:1: a node has no name; give it one"},
    };
}

}  // namespace headlight::bad

// GraphML.
#include "bad/bad_inputs.h"

namespace headlight::bad {

using namespace std::string_literals;

std::vector<BadInput> graphml_inputs() {
    const auto graph = [](const std::string& inside) {
        return "<graphml>\n<graph edgedefault=\"directed\">\n" + inside + "\n</graph></graphml>";
    };
    const std::string a = "<node id=\"a\"/>", b = "<node id=\"b\"/>";
    return {
        {"empty", "", "line 1: not well-formed XML: No document element found"},
        {"no XML", "hello", "line 1: not well-formed XML: No document element found"},
        {"another root", "<svg></svg>", "line 1: the root element is 'svg', not 'graphml'"},
        {"no graph", "<graphml></graphml>", "line 1: there is no <graph> in <graphml>"},
        {"two graphs", "<graphml><graph><node id=\"a\"/></graph>\n<graph/></graphml>",
         "line 2: there is a second <graph>; only one can be read"},
        {"no nodes", graph(""), "line 2: there are no nodes; a graph needs at least one"},
        {"a tag that is not closed", graph("<node id=\"a\">"),
         "line 4: not well-formed XML: Start-end tags mismatch"},
        {"a tag that is cut off", "<graphml><graph><node id=\"a",
         "line 1: not well-formed XML: Error parsing element attribute"},
        {"an entity bomb",
         "<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [<!ENTITY a \"aaaa\"><!ENTITY b "
         "\"&a;&a;&a;\">]>\n"
         "<graphml>&b;</graphml>",
         "line 2: a document type, <!DOCTYPE …>, is not read, since it may define entities; remove "
         "it"},
        {"an external entity",
         "<!DOCTYPE x [<!ENTITY f SYSTEM \"file:///etc/passwd\">]><graphml>&f;</graphml>",
         "line 1: a document type, <!DOCTYPE …>, is not read, since it may define entities; remove "
         "it"},
        {"an unknown entity", graph("<node id=\"&lol;\"/>"),
         "line 3: the reference '&lol' stands for no character; & itself is written &amp;"},
        {"an & by itself", graph("<node id=\"a & b\"/>"),
         "line 3: the reference '&' stands for no character; & itself is written &amp;"},
        {"character 0", graph("<node id=\"&#0;\"/>"),
         "line 3: the reference '&#0' stands for no character; & itself is written &amp;"},
        {"a surrogate", graph("<node id=\"&#xD800;\"/>"),
         "line 3: the reference '&#xD800' stands for no character; & itself is written &amp;"},
        {"a character beyond Unicode", graph("<node id=\"&#x110000;\"/>"),
         "line 3: the reference '&#x110000' stands for no character; & itself is written &amp;"},
        {"a character of 2^64", graph("<node id=\"&#18446744073709551616;\"/>"),
         "line 3: the reference '&#18446744073709551616' stands for no character; & itself is "
         "written &amp;"},
        {"1 million levels", "<graphml>" + repeated("<a>", 1'000'000),
         "line 1: nested too deep; at most 64 levels are read"},
        {"65 levels", repeated("<a>", 65) + repeated("</a>", 65),
         "line 1: nested too deep; at most 64 levels are read"},
        {"10 million characters of a tag", "<graphml><" + repeated("a", 10'000'000),
         "line 1: not well-formed XML: Error parsing start element tag"},
        {"a byte that is not UTF-8", graph("<node id=\"\xE9\"/>"),
         "line 3: not UTF-8 at byte 51; save it as UTF-8"},
        {"UTF-16", "\xFF\xFE<\0"s, "is in UTF-16; save it as UTF-8"},
        {"NUL byte", graph("<node id=\"\0\"/>"s), "line 3: a zero byte; this is not a text file"},
        {"another encoding", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><graphml/>",
         "is in the encoding 'ISO-8859-1'; save it as UTF-8"},
        {"the same attribute twice", graph("<node id=\"a\" id=\"b\"/>"),
         "line 3: the attribute 'id' comes twice; keep one"},
        {"a node without id", graph("<node/>"), "line 3: <node> needs the attribute 'id'"},
        {"an empty id", graph("<node id=\"\"/>"), "line 3: a node has no name; give it one"},
        {"the same id twice", graph(a + a), "line 3: two nodes are called 'a'; names must differ"},
        {"an edge of an unknown node", graph(a + "\n<edge source=\"a\" target=\"c\"/>"),
         "line 4: there is no node 'c'"},
        {"an edge without target", graph(a + "<edge source=\"a\"/>"),
         "line 3: <edge> needs the attribute 'target'"},
        {"data of an unknown key", graph("<node id=\"a\"><data key=\"k\">1</data></node>"),
         "line 3: there is no <key> with the id 'k'"},
        {"data without key", graph("<node id=\"a\"><data>1</data></node>"),
         "line 3: <data> needs the attribute 'key'"},
        {"the same key twice", "<graphml><key id=\"k\"/><key id=\"k\"/></graphml>",
         "line 1: there is no <graph> in <graphml>"},
        {"two keys of the same id",
         "<graphml><key id=\"k\" attr.name=\"a\"/><key id=\"k\" attr.name=\"b\"/></graphml>",
         "line 1: two keys have the id 'k'; ids must differ"},
        {"the same data twice",
         "<graphml><key id=\"k\"/><graph><node id=\"a\"><data key=\"k\">1</data><data "
         "key=\"k\">2</data></node></graph></graphml>",
         "line 1: there are two <data> of the key 'k'; keep one"},
        {"a graph within a node", graph("<node id=\"a\"><graph/></node>"),
         "line 3: a <graph> inside a <node> cannot be read"},
        {"a hyperedge", graph(a + b + "<hyperedge><endpoint node=\"a\"/></hyperedge>"),
         "line 3: a <hyperedge> cannot be read; an edge must have two ends"},
        {"a port", graph("<node id=\"a\"><port name=\"p\"/></node>"), "read"},
        {"edgedefault missing", "<graphml><graph>" + a + "</graph></graphml>",
         "read: taken as undirected, since edgedefault is missing"},
        {"an unknown edgedefault", "<graphml><graph edgedefault=\"both\"/></graphml>",
         "line 1: edgedefault is 'both'; it can be 'directed' or 'undirected'"},
        {"mixed directions",
         graph(a + b +
               "<edge source=\"a\" target=\"b\" directed=\"false\"/><edge source=\"a\" "
               "target=\"a\"/>"),
         "read: 1 self-edge, 1 undirected edge of a directed graph taken as one edge each way"},
        {"a weight that is no number",
         "<graphml><key id=\"w\" for=\"edge\" attr.name=\"weight\"/><graph "
         "edgedefault=\"directed\">" +
             a +
             "\n<edge source=\"a\" target=\"a\"><data "
             "key=\"w\">nan</data></edge></graph></graphml>",
         "line 2: the weight 'nan' is not a finite number"},
        {"a self-edge, twice", graph(a + repeated("<edge source=\"a\" target=\"a\"/>", 2)),
         "read: 1 duplicate edge left out, 1 self-edge"},
        {"<, > and -- in comments and CDATA",
         graph(a + "<!-- <node id=\"x\"> & -->" + "<desc><![CDATA[<b>&x;]]></desc>"), "read"},
    };
}

std::vector<BadInput> gexf_inputs() {
    const auto graph = [](const std::string& nodes, const std::string& edges) {
        return "<gexf><graph>\n<nodes>" + nodes + "</nodes>\n<edges>" + edges +
               "</edges></graph></gexf>";
    };
    const std::string a = "<node id=\"a\"/>";
    return {
        {"another root", "<graphml/>", "line 1: the root element is 'graphml', not 'gexf'"},
        {"no graph", "<gexf/>", "line 1: there is no <graph> in <gexf>"},
        {"no nodes", graph("", ""), "line 1: there are no nodes; a graph needs at least one"},
        {"an entity", "<!DOCTYPE x [<!ENTITY f \"a\">]><gexf>&f;</gexf>",
         "line 1: a document type, <!DOCTYPE …>, is not read, since it may define entities; remove "
         "it"},
        {"nodes within a node", graph("<node id=\"a\"><nodes/></node>", ""),
         "line 2: nodes inside a <node> cannot be read"},
        {"an edge of an unknown node", graph(a, "<edge source=\"a\" target=\"b\"/>"),
         "line 3: there is no node 'b'"},
        {"an unknown direction", graph(a, "<edge source=\"a\" target=\"a\" type=\"both\"/>"),
         "line 3: type is 'both'; it can be 'directed', 'undirected' or 'mutual'"},
        {"a weight that is no number", graph(a, "<edge source=\"a\" target=\"a\" weight=\"x\"/>"),
         "line 3: the weight 'x' is not a finite number"},
        {"a value of an unknown attribute",
         graph("<node id=\"a\"><attvalues><attvalue for=\"0\" value=\"1\"/></attvalues></node>",
               ""),
         "line 2: there is no <attribute> with the id '0'"},
        {"values over time",
         "<gexf><graph><attributes class=\"node\"><attribute id=\"0\" title=\"t\"/></attributes>"
         "<nodes><node id=\"a\"><attvalues><attvalue for=\"0\" value=\"1\"/><attvalue for=\"0\" "
         "value=\"2\"/></attvalues></node></nodes></graph></gexf>",
         "line 1: there are two values of 't'; values over time cannot be read"},
        {"no edges", "<gexf><graph><nodes>" + a + "</nodes></graph></gexf>", "read"},
    };
}

}  // namespace headlight::bad

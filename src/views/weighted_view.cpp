#include "views/weighted_view.h"

#include "views/panels_view.h"

namespace headlight {

std::vector<std::string> weighted_paths(const Scene& scene) {
    const Component* attention = shown_attention(scene.components, scene.selection);
    std::vector<std::string> paths;
    if (!attention) return paths;
    for (const int head : scene.selection.shown_heads()) {
        const Tensor* pattern = find_of_head(scene.trace, *attention, head, Role::Pattern);
        const Tensor* weighted = find_of_head(scene.trace, *attention, head, Role::NormWeighted);
        if (pattern && weighted) paths.insert(paths.end(), {pattern->path(), weighted->path()});
    }
    return paths;
}

Figure weighted_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    return picture_of_panels(scene, weighted_paths(scene), look, measure);
}

}  // namespace headlight

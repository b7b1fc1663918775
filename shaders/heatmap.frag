// One heatmap: the value under a pixel, then its colour from the table.
// in: gl_FragCoord, pixels, y up   out: o_color, sRGB, alpha not multiplied in
//
// POOLED 1: a texel is a block of cells; the pixel takes the strongest of the 2 × 2 it touches.
// MEAN 1: their mean, each by what the pixel covers of it. LOG 1: equal ratios are equally far.
// CLASSES 1: t_classes says which texels are NaN or masked. GRID 1: lines between the cells.
uniform sampler2D t_values;  // one number a texel, always finite
#if CLASSES
uniform sampler2D t_classes;  // 0 masked, 1 a number, 2 NaN; stored as parts of 255
#endif
uniform sampler2D t_colors;  // 258 × 1: 256 colours, the colour of NaN, the colour of masked cells

uniform vec2 u_origin;            // top left corner of the heatmap in pixels, y down
uniform float u_target_height;    // pixels
uniform vec2 u_texels_per_pixel;
uniform ivec2 u_size;             // texels
uniform vec2 u_range;             // the values of the first and of the last colour
#if LOG
uniform float u_floor;            // magnitudes up to it look like 0
#endif
#if POOLED
uniform vec2 u_half_footprint;    // half of a pixel in texels; 0 along an axis that is not pooled
#endif
#if GRID
uniform vec2 u_grid_px;           // width of the lines across x and across y
uniform vec4 u_grid_color;
#endif

out vec4 o_color;

// x: the value, y: its class
vec2 texel(ivec2 at) {
#if CLASSES
    return vec2(texelFetch(t_values, at, 0).r, floor(texelFetch(t_classes, at, 0).r * 255.0 + 0.5));
#else
    return vec2(texelFetch(t_values, at, 0).r, 1.0);
#endif
}

// NaN before numbers before masked cells; then the larger magnitude; then the larger value.
vec2 stronger(vec2 p, vec2 q) {
    float a = abs(p.x);
    float b = abs(q.x);
    bool by_value = a > b || (a == b && p.x >= q.x);
#if CLASSES
    return p.y > q.y || (p.y == q.y && by_value) ? p : q;
#else
    return by_value ? p : q;
#endif
}

#if MEAN
// By the texels' share of the pixel; NaN if one is, masked texels do not count.
vec2 mean(vec2 p, vec2 q, float p_share, float q_share) {
#if CLASSES
    if (p.y > 1.5 || q.y > 1.5) return vec2(0.0, 2.0);
    if (p.y < 0.5) return q;
    if (q.y < 0.5) return p;
#endif
    return vec2((p.x * p_share + q.x * q_share) / (p_share + q_share), 1.0);
}
#endif

vec2 value_at(vec2 place) {
#if MEAN
    ivec2 a = clamp(ivec2(floor(place - u_half_footprint)), ivec2(0), u_size - 1);
    ivec2 b = clamp(ivec2(ceil(place + u_half_footprint)) - 1, a, u_size - 1);
    vec2 edge = vec2(b);
    vec2 low = max(edge - (place - u_half_footprint), vec2(1e-6));
    vec2 high = max(place + u_half_footprint - edge, vec2(1e-6));
    return mean(mean(texel(a), texel(ivec2(b.x, a.y)), low.x, high.x),
                mean(texel(ivec2(a.x, b.y)), texel(b), low.x, high.x), low.y, high.y);
#elif POOLED
    ivec2 a = clamp(ivec2(floor(place - u_half_footprint)), ivec2(0), u_size - 1);
    ivec2 b = clamp(ivec2(ceil(place + u_half_footprint)) - 1, a, u_size - 1);
    return stronger(stronger(texel(a), texel(b)),
                    stronger(texel(ivec2(b.x, a.y)), texel(ivec2(a.x, b.y))));
#else
    return texel(clamp(ivec2(floor(place)), ivec2(0), u_size - 1));
#endif
}

int color_index(vec2 value) {
#if CLASSES
    if (value.y > 1.5) return 256;
    if (value.y < 0.5) return 257;
#endif
#if LOG
    float magnitude = log2(max(abs(value.x), u_floor) / u_floor) / log2(u_range.y / u_floor);
    float along = clamp(magnitude, 0.0, 1.0);
    if (u_range.x < 0.0) along = 0.5 + 0.5 * sign(value.x) * along;
    else if (value.x <= 0.0) along = 0.0;
    return clamp(int(floor(along * 255.0 + 0.5)), 0, 255);
#else
    if (value.x <= u_range.x) return 0;
    if (value.x >= u_range.y) return 255;
    float part = (value.x - u_range.x) / (u_range.y - u_range.x);
    return clamp(int(floor(part * 255.0 + 0.5)), 0, 255);
#endif
}

#if GRID
// How much of a pixel the line between two cells covers, along x and along y.
vec2 grid_coverage(vec2 place) {
    vec2 line = floor(place + 0.5);
    vec2 away = abs(place - line) / u_texels_per_pixel;
    vec2 covered = min(away + 0.5, 0.5 * u_grid_px) - max(away - 0.5, -0.5 * u_grid_px);
    vec2 between = step(vec2(0.5), line) * step(line, vec2(u_size) - 0.5);
    return clamp(covered, 0.0, 1.0) * between;
}
#endif

void main() {
    vec2 pixel = vec2(gl_FragCoord.x, u_target_height - gl_FragCoord.y);
    vec2 place = (pixel - u_origin) * u_texels_per_pixel;
    vec4 color = texelFetch(t_colors, ivec2(color_index(value_at(place)), 0), 0);
#if GRID
    vec2 covered = grid_coverage(place);
    color = mix(color, vec4(u_grid_color.rgb, 1.0), max(covered.x, covered.y) * u_grid_color.a);
#endif
    o_color = color;
}

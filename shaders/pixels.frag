// A small heatmap whose pixels have their colours already.
// in: v_part [0,1]² of the rectangle, from its top left corner   out: o_color, sRGB
uniform sampler2D t_pixels;  // one texel a pixel, the upper row first

in vec2 v_part;
out vec4 o_color;

void main() {
    o_color = texture(t_pixels, v_part);
}

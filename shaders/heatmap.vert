// The rectangle of one heatmap, from the vertex number alone.
// in: gl_VertexID 0…3, a triangle strip   out: gl_Position, clip space; v_part, see pixels.frag
uniform vec4 u_rect;  // left, top, right, bottom in clip space

out vec2 v_part;

void main() {
    float x = (gl_VertexID & 1) == 0 ? u_rect.x : u_rect.z;
    float y = (gl_VertexID & 2) == 0 ? u_rect.y : u_rect.w;
    gl_Position = vec4(x, y, 0.0, 1.0);
    v_part = vec2(gl_VertexID & 1, (gl_VertexID & 2) >> 1);
}

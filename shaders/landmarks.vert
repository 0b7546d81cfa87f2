#version 410 core
// A landmark as a square of two triangles around its disc, one instance each.

layout(location = 0) in vec4 place; // position, z is 0 for flat maps; w: the index of its look


uniform mat4 projection;
uniform vec3 origin;
uniform vec4 viewport; // of the picture: x, y, width, height
uniform vec4 depth;
// Each look is four: fill, outline, mark (a dot in the middle), not premultiplied; then in pixels the
// radius, the width of the outline, the radius of the mark, the radius of the halo.
uniform vec4 looks[16 * 4];

flat out vec2 centre;
flat out vec4 fill, outline, mark, shape;

void main() {
    int i = clamp(int(place.w), 0, 15) * 4;
    fill = looks[i];
    outline = looks[i + 1];
    mark = looks[i + 2];
    shape = looks[i + 3];
    vec4 clip = projection * vec4(place.xyz - origin, 1.0);
    bool behind = depth.x > 0.0 && !(clip.w > depth.x * 1e-3);
    centre = (clip.xy / clip.w * 0.5 + 0.5) * viewport.zw + viewport.xy;
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    vec2 at = centre + corner * (max(shape.x + shape.y, shape.w) + 1.0);
    gl_Position = behind ? vec4(2.0, 2.0, 2.0, 1.0)
                         : vec4((at - viewport.xy) / viewport.zw * 2.0 - 1.0, 0.0, 1.0);
}

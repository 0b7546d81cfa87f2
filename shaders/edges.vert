#version 410 core
// An edge as a thin rectangle around the line between two positions, one instance each.

layout(location = 0) in vec3 start;
layout(location = 1) in vec3 end;
layout(location = 2) in vec4 ink;      // not premultiplied
layout(location = 3) in float thick;   // pixels

uniform mat4 projection;
uniform vec3 origin;
uniform vec4 viewport;
uniform vec4 depth;

flat out vec4 line;  // the two ends, pixels
flat out vec4 colour;
flat out float width;

void main() {
    vec4 a = projection * vec4(start - origin, 1.0);
    vec4 b = projection * vec4(end - origin, 1.0);
    float near = depth.x * 1e-3;
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    line = vec4(0.0);
    colour = ink;
    width = thick;
    if (depth.x > 0.0) {
        if (!(a.w > near) && !(b.w > near)) return;
        if (!(a.w > near)) a = mix(b, a, (b.w - near) / (b.w - a.w) * 0.999);
        if (!(b.w > near)) b = mix(a, b, (a.w - near) / (a.w - b.w) * 0.999);
    }
    vec2 p = (a.xy / a.w * 0.5 + 0.5) * viewport.zw + viewport.xy;
    vec2 q = (b.xy / b.w * 0.5 + 0.5) * viewport.zw + viewport.xy;
    line = vec4(p, q);
    float len = distance(p, q);
    vec2 along = len > 0.0 ? (q - p) / len : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);
    float reach = width * 0.5 + 1.0;
    vec2 at = (gl_VertexID & 1) == 0 ? p - along * reach : q + along * reach;
    at += across * ((gl_VertexID >> 1) == 0 ? -reach : reach);
    gl_Position = vec4((at - viewport.xy) / viewport.zw * 2.0 - 1.0, 0.0, 1.0);
}

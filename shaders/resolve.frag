#version 410 core
// Lays the points on the ground; both premultiplied.

uniform sampler2D points;
uniform vec4 ground;

out vec4 result;

void main() {
    vec4 p = texelFetch(points, ivec2(gl_FragCoord.xy), 0);
    result = p + ground * (1.0 - p.a);
}

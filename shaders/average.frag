#version 410 core
// Lays the mean of the samples of a pixel on the ground; all premultiplied.

uniform sampler2DMS points;
uniform int samples;
uniform vec4 ground;

out vec4 result;

void main() {
    vec4 p = vec4(0.0);
    for (int i = 0; i < samples; i++) p += texelFetch(points, ivec2(gl_FragCoord.xy), i);
    p /= float(samples);
    result = p + ground * (1.0 - p.a);
}

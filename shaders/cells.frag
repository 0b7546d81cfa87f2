#version 410 core

flat in vec4 colour; // not premultiplied
in float inside;

uniform float gap; // pixels that a patch keeps clear of its outline

out vec4 result;

void main() {
    float off = inside / max(fwidth(inside), 1e-9); // pixels from the outline
    float a = colour.a * clamp(off - gap + 0.5, 0.0, 1.0);
    if (a <= 0.0) discard;
    result = vec4(colour.rgb * a, a);
}

#version 410 core
// A disc with an edge one pixel wide; colours are premultiplied.

flat in vec4 colour;
flat in vec3 disc;

out vec4 result;

void main() {
    float cover = clamp(disc.z + 0.5 - distance(gl_FragCoord.xy, disc.xy), 0.0, 1.0);
    if (cover <= 0.0) discard;
    result = colour * cover;
}

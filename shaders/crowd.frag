#version 430 core
// Lays the points that crowd.comp has counted on the ground: what blending their discs gives in the mean. What a pixel
// lets through is the product of what all discs let through, in whatever order; the rest has the mean of their colours,
// weighted by how much of each is in the pixel.
layout(std430, binding = 3) readonly buffer Cells { uint cells[]; };

const int most = 11; // cells a side, at most, that reach into a pixel

uniform ivec3 room;               // width and height of the picture, and the border of cells around it
uniform vec2 shares[most * most]; // of a disc in a cell: its part of the pixel, and -ln of what it lets through
uniform float whole;              // opacity of one point as a sum
uniform vec4 ground;              // premultiplied

out vec4 result;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int width = room.x + 2 * room.z, side = 2 * room.z + 1;
    vec4 colour = vec4(0.0);
    float depth = 0.0;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            int cell = 4 * ((at.y + y) * width + at.x + x);
            vec2 share = shares[y * side + x];
            float opacity = float(cells[cell + 3]);
            if (share.x == 0.0 || opacity == 0.0) continue;
            colour += share.x * vec4(cells[cell], cells[cell + 1], cells[cell + 2], opacity);
            depth += share.y * opacity;
        }
    vec4 points = vec4(0.0);
    if (colour.a > 0.0) points = colour / colour.a * (1.0 - exp(-depth / whole));
    result = points + ground * (1.0 - points.a);
}

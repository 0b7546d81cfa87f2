#version 430 core
// Counts points of a flat map in the pixels that they are in: how many, and the sums of their colours. Whole numbers
// add up to the same in any order. See render/crowd.go.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer Positions { float position[]; }; // x, y of the points of this piece
layout(std430, binding = 1) readonly buffer Values { float value[]; };       // a number each
layout(std430, binding = 2) readonly buffer States { uint states[]; };       // four points in each, the first lowest
layout(std430, binding = 3) buffer Cells { uint cells[]; };                  // red, green, blue, opacity of each pixel

uniform mat4 projection;
uniform vec3 origin;
uniform ivec3 room;       // width and height of the picture, and the border of cells around it
uniform ivec2 piece;      // its first point, and how many it has
uniform bvec2 has;        // values, states
uniform uint coarse;      // so many of the lowest bits of each colour are left out, so that no sum is too large

#include colours.glsl

uint hash(uint x) { // a finaliser by Chris Wellons, "lowbias32"
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

void main() {
    int i = int(gl_GlobalInvocationID.x), point = piece.x + i;
    if (i >= piece.y) return;
    uint state = has.y ? states[i >> 2] >> 8 * (i & 3) : 0u;
    vec2 at = vec2(position[2 * i], position[2 * i + 1]);
    if ((state & 1u) != 0u || isNaN(at.x) || isNaN(at.y)) return;
    vec4 clip = projection * vec4(vec3(at, 0.0) - origin, 1.0);
    ivec2 size = room.xy + 2 * room.z;
    vec2 pixel = floor((clip.xy / clip.w * 0.5 + 0.5) * vec2(room.xy)) + float(room.z);
    if (!(pixel.x >= 0.0 && pixel.y >= 0.0 && pixel.x < float(size.x) && pixel.y < float(size.y))) return;
    float number = has.x ? value[i] : uintBitsToFloat(0x7fc00000u);
    vec4 colour = texelFetch(palette, ivec2(entry(number, state), 0), 0);
    uvec4 share = uvec4(vec4(colour.rgb * colour.a, colour.a) * 255.0 + 0.5);
    if (coarse > 0u) share = share + (hash(uint(point)) & ((1u << coarse) - 1u)) >> coarse;
    int cell = 4 * (int(pixel.y) * size.x + int(pixel.x));
    for (int c = 0; c < 4; c++)
        if (share[c] > 0u) atomicAdd(cells[cell + c], share[c]);
}

#version 410 core
// A point of the map as a square around its disc. The same rules in Go: render/splat.

layout(location = 0) in vec3 position;  // z is 0 for flat maps
layout(location = 1) in float value;    // a number, or the index of a label
layout(location = 2) in uint state;     // bit 0: hidden, bit 1: selected

uniform mat4 projection;   // of the guarded viewport; applied to position - origin
uniform vec3 origin;
uniform vec4 viewport;     // guarded viewport in pixels of the picture: x, y, width, height
uniform vec4 depth;        // reference distance (0: flat), near, far, share of the ground at far
uniform vec4 ground;       // what far points fade into; its opacity is how much
uniform float size;        // diameter in pixels
uniform float opacity;
uniform int mode;          // 0: flat, 1: numbers, 2: labels
uniform vec4 lookup;       // pre, lo, factor, labels
uniform bool dim;          // points that are not selected look like missing ones
uniform sampler2D palette; // 1024 colours, then the one for missing values

flat out vec4 colour;
flat out vec3 disc;        // centre in pixels of the picture, radius
flat out uint point;

const int entries = 1024;
const float maxSize = 64.0;
const float minSize = 0.125;

bool isNaN(float x) { return (floatBitsToUint(x) & 0x7fffffffu) > 0x7f800000u; } // survives fast maths

int entry() {
    if (dim && (state & 2u) == 0u) return entries;
    if (mode == 0) return 0;
    if (mode == 2) return !isNaN(value) && value >= 0.0 && value < lookup.w ? int(uint(value) % uint(entries)) : entries;
    if (isNaN(value)) return entries;
    float t = clamp((value * lookup.x - lookup.y) * lookup.z, 0.0, 1.0);
    return int(t * float(entries - 1) + 0.5);
}

void main() {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside: not drawn
    gl_PointSize = 1.0;
    colour = vec4(0.0);
    disc = vec3(0.0);
    point = uint(gl_VertexID);
    if ((state & 1u) != 0u || isNaN(position.x) || isNaN(position.y) || isNaN(position.z)) return;

    vec4 clip = projection * vec4(position - origin, 1.0);
    float diameter = size, fade = 1.0, share = 0.0, z = 0.0;
    float least = depth.x * 1e-3;
    if (depth.x > 0.0) {
        if (!(clip.w > least)) return;
        diameter = size * depth.x / clip.w;
        if (!(diameter >= minSize)) return;
        if (depth.z > depth.y)
            share = depth.w * ground.a * clamp((clip.w - depth.y) / (depth.z - depth.y), 0.0, 1.0);
        // A depth that tells near and far distances apart alike: see depthOf in render/splat.
        uint d = min((floatBitsToUint(clip.w) - floatBitsToUint(least)) >> 4, 0xffffffu);
        z = (float(d) / 8388608.0 - 1.0) * clip.w;
    }
    diameter = min(diameter, maxSize);
    if (diameter < 1.0) fade *= diameter * diameter;

    disc.xy = (clip.xy / clip.w * 0.5 + 0.5) * viewport.zw + viewport.xy;
    disc.z = max(diameter, 1.0) * 0.5;
    gl_Position = vec4(clip.xy, z, clip.w);
    gl_PointSize = 2.0 * disc.z + 2.0; // the smooth edge, and half a pixel to be sure
    colour = texelFetch(palette, ivec2(entry(), 0), 0);
    if (share > 0.0) colour.rgb = mix(colour.rgb, ground.rgb, share);
    colour.a *= opacity * fade;
    colour.rgb *= colour.a;
}

// The colour of a point: of a palette by its number or its label. The same rules in Go: render/palette.

uniform int mode;          // 0: flat, 1: numbers, 2: labels
uniform vec4 lookup;       // pre, lo, factor, labels
uniform bool dim;          // points that are not selected look like missing ones
uniform sampler2D palette; // 1024 colours, then the one for missing values

const int entries = 1024;

bool isNaN(float x) { return (floatBitsToUint(x) & 0x7fffffffu) > 0x7f800000u; } // survives fast maths

// entry is the place in the palette of a point of this value; bit 0 of its state is hidden, bit 1 selected.
int entry(float value, uint state) {
    if (dim && (state & 2u) == 0u) return entries;
    if (mode == 0) return 0;
    if (mode == 2) return !isNaN(value) && value >= 0.0 && value < lookup.w ? int(uint(value) % uint(entries)) : entries;
    if (isNaN(value)) return entries;
    float t = clamp((value * lookup.x - lookup.y) * lookup.z, 0.0, 1.0);
    return int(t * float(entries - 1) + 0.5);
}

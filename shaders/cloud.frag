#version 410 core
// A disc in perspective, where nearer points lie over farther ones in whatever order they are drawn. Depth
// is tested, so a point is either in a sample of a pixel or it is not: it is in as many of them as its
// coverage times its opacity says, in samples chosen at random. The mean over the samples is then what blending
// sorted points gives, for the chance that a sample is left to a farther point is the product of what the
// nearer ones let through (Enderton, Sintorn, Shirley and Luebke: Stochastic Transparency, 2010). Nothing is
// sorted, so it costs what drawing costs for any number of points, and where only the card has them; what is
// drawn in parts is the same as what is drawn at once.

flat in vec4 colour; // premultiplied
flat in vec3 disc;
flat in uint point;

uniform int samples; // a power of two

out vec4 result;

uint hash(uint x) { // a finaliser by Chris Wellons, "lowbias32"
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

void main() {
    float cover = clamp(disc.z + 0.5 - distance(gl_FragCoord.xy, disc.xy), 0.0, 1.0);
    // The pixel from the disc's own: the same in all tiles of a picture.
    uvec2 at = uvec2(ivec2(floor(gl_FragCoord.xy)) - ivec2(floor(disc.xy)) + 64);
    uint own = hash(point), random = hash(own + at.x + at.y * 256u);
    // What rounds the number of samples is spread evenly over neighbouring pixels (interleaved gradient noise by
    // Jorge Jimenez, 2014) and begins anywhere for each point: less of it can be seen than of white noise.
    float spread = fract(52.9829189 * fract(dot(vec2(at), vec2(0.06711056, 0.00583715))) + float(own >> 8) / 16777216.0);
    int count = int(cover * colour.a * float(samples) + spread);
    if (count <= 0) discard;
    uint step = (random >> 2 & 6u) + 1u, which = random, mask = 0u;
    for (int i = 0; i < count; i++) {
        mask |= 1u << (which & uint(samples - 1));
        which += step;
    }
    gl_SampleMask[0] = int(mask);
    result = vec4(colour.rgb / colour.a, 1.0);
}

// The part of the pair table that depends on the positions and adjust: log2((1+H)^-adjust / H), with
// H = |l_j - l_i|^2; NO_LINE for a pair that defines no line. Row by row, or for listed landmarks their
// rows and columns: H is the same from both ends.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Moved { uint moved[]; };
layout(std430, binding = 6) buffer Pairs { vec2 pair[]; };
layout(std430, binding = 7) readonly buffer Places { vec4 place[]; };
uniform int g, from, listed;
uniform float adjust;

const float NO_LINE = -1e4;

// log2 of a positive normal number to about 1e-7; what drivers offer may be coarser.
float log2fine(float x) {
	uint bits = floatBitsToUint(x);
	float e = float(int(bits >> 23) - 127), m = uintBitsToFloat(bits & 0x7fffffu | 0x3f800000u);
	if (m > 1.41421356) {
		m *= 0.5;
		e += 1.0;
	}
	float s = (m - 1.0) / (m + 1.0), s2 = s * s;
	float p = fma(2.0 / 9.0, s2, 2.0 / 7.0);
	p = fma(p, s2, 2.0 / 5.0);
	p = fma(p, s2, 2.0 / 3.0);
	p = fma(p, s2, 2.0);
	return fma(s * p, 1.44269504, e);
}

void main() {
	int j = int(gl_GlobalInvocationID.x), i = from + int(gl_WorkGroupID.y);
	if (listed != 0) i = int(moved[i]);
	if (j >= g) return;
	precise vec3 t = place[j].xyz - place[i].xyz;
	precise float h = t.x * t.x + t.y * t.y + t.z * t.z;
	float line = NO_LINE;
	if (h >= 1e-10 && h < 1e38 && pair[i * g + j].x < 1e30) line = -fma(adjust, log2fine(1.0 + h), log2fine(h));
	pair[i * g + j].y = line;
	if (listed != 0) pair[j * g + i].y = line;
}

// Brings points that arrive as rows into tiles of 32, in which the points of one vec4 of coordinates lie side
// by side, as those who read them do. Rows are padded with 0 to whole vec4.
layout(local_size_x = 128) in;
layout(std430, binding = 0) writeonly buffer Points { vec4 x[]; };
layout(std430, binding = 2) readonly buffer Rows { float rows[]; };
uniform int from, count, d; // the place of the first point in x

void main() {
	int n = int(gl_GlobalInvocationID.x), q = int(gl_WorkGroupID.y), quads = (d + 3) / 4;
	if (n >= count) return;
	int point = from + n, at = n * d + 4 * q, more = d - 4 * q;
	vec4 v = vec4(rows[at], 0, 0, 0);
	if (more > 1) v.y = rows[at + 1];
	if (more > 2) v.z = rows[at + 2];
	if (more > 3) v.w = rows[at + 3];
	x[(point / 32 * quads + q) * 32 + point % 32] = v;
}

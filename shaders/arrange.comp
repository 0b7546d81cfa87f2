// Brings points that arrive as rows into tiles of 32, in which the points of one coordinate lie side by
// side, as those who read them do.
layout(local_size_x = 128) in;
layout(std430, binding = 0) writeonly buffer Points { float x[]; };
layout(std430, binding = 2) readonly buffer Rows { float rows[]; };
uniform int from, count, d; // the place of the first point in x

void main() {
	int n = int(gl_GlobalInvocationID.x), c = int(gl_WorkGroupID.y);
	if (n >= count) return;
	int point = from + n;
	x[(point / 32 * d + c) * 32 + point % 32] = rows[n * d + c];
}

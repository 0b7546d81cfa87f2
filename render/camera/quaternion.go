package camera

import "math"

// quaternion is a rotation: w + xi + yj + zk of length 1.
type quaternion struct{ w, x, y, z float64 }

// about is the rotation by an angle in radians, anticlockwise seen against axis, which has length 1.
func about(axis Vec, angle float64) quaternion {
	sin, cos := math.Sincos(angle / 2)
	return quaternion{cos, axis.X * sin, axis.Y * sin, axis.Z * sin}
}

// times is the rotation b followed by a.
func (a quaternion) times(b quaternion) quaternion {
	return quaternion{
		a.w*b.w - a.x*b.x - a.y*b.y - a.z*b.z,
		a.w*b.x + a.x*b.w + a.y*b.z - a.z*b.y,
		a.w*b.y - a.x*b.z + a.y*b.w + a.z*b.x,
		a.w*b.z + a.x*b.y - a.y*b.x + a.z*b.w,
	}
}

// turn returns v, rotated.
func (a quaternion) turn(v Vec) Vec {
	u := Vec{a.x, a.y, a.z}
	t := u.cross(v).mul(2)
	return v.add(t.mul(a.w)).add(u.cross(t))
}

func (a quaternion) dot(b quaternion) float64 { return a.w*b.w + a.x*b.x + a.y*b.y + a.z*b.z }

func (a quaternion) mul(f float64) quaternion { return quaternion{a.w * f, a.x * f, a.y * f, a.z * f} }

// unit takes the rounding of many products off.
func (a quaternion) unit() quaternion { return a.mul(1 / math.Sqrt(a.dot(a))) }

// slerp is the rotation at share t of the shorter way from a to b, at constant speed (Shoemake 1985).
func slerp(a, b quaternion, t float64) quaternion {
	cos := a.dot(b)
	if cos < 0 { // the same rotation by the other name
		b, cos = b.mul(-1), -cos
	}
	from, to := 1-t, t
	if angle := math.Acos(math.Min(cos, 1)); angle > 1e-6 {
		from, to = math.Sin((1-t)*angle)/math.Sin(angle), math.Sin(t*angle)/math.Sin(angle)
	}
	a, b = a.mul(from), b.mul(to)
	return quaternion{a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z}.unit()
}

func (a quaternion) array() [4]float64 { return [4]float64{a.w, a.x, a.y, a.z} }

// fromArray is the inverse of array for any length but 0.
func fromArray(v [4]float64) (quaternion, bool) {
	q := quaternion{v[0], v[1], v[2], v[3]}
	l := q.dot(q)
	if !(l > 1e-12) || math.IsInf(l, 0) {
		return quaternion{}, false
	}
	return q.unit(), true
}

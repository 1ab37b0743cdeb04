package embed

import (
	"encoding/binary"
	"math"
)

// The race detector, which sees none of the other kernels either, would make these 30
// times slower: it looks at who calls them.

// gemmGo computes two outputs with one multiplication: (w0 + w1<<32) * x. Both sums
// fit 31 bits: 16384 inputs of 255*127.
//
//go:norace
func gemmGo(y []float32, ld int, x []int8, k int, w []byte, rows []float32, sums []int32, scale, bias []float32) {
	x0, x1, x2, x3 := x[:k], x[k:2*k], x[2*k:3*k], x[3*k:4*k]
	for c := 0; c < block; c += 2 {
		var acc [tile]int64
		p := w[c/16*16*k+c%16*4:]
		for i := 0; i+4 <= k; i += 4 {
			const pair = 0x000000FF000000FF
			v := binary.LittleEndian.Uint64(p[i*16:])
			w0, w1, w2, w3 := int64(v&pair), int64(v>>8&pair), int64(v>>16&pair), int64(v>>24&pair)
			r0, r1, r2, r3 := x0[i:i+4], x1[i:i+4], x2[i:i+4], x3[i:i+4]
			acc[0] += w0*int64(r0[0]) + w1*int64(r0[1]) + w2*int64(r0[2]) + w3*int64(r0[3])
			acc[1] += w0*int64(r1[0]) + w1*int64(r1[1]) + w2*int64(r1[2]) + w3*int64(r1[3])
			acc[2] += w0*int64(r2[0]) + w1*int64(r2[1]) + w2*int64(r2[2]) + w3*int64(r2[3])
			acc[3] += w0*int64(r3[0]) + w1*int64(r3[1]) + w2*int64(r3[2]) + w3*int64(r3[3])
		}
		for r, a := range acc {
			low := int32(a)
			high := int32((a - int64(low)) >> 32)
			y[r*ld+c] = float32(low-sums[r])*rows[r]*scale[c] + bias[c]
			y[r*ld+c+1] = float32(high-sums[r])*rows[r]*scale[c+1] + bias[c+1]
		}
	}
}

//go:norace
func quantGo(q []int8, x []float32) (scale float32, sum int32) {
	var most float32
	for _, v := range x {
		most = max(most, v, -v)
	}
	if most == 0 {
		clear(q)
		return 0, 0
	}
	k := 127 / most
	for i, v := range x {
		n := int32(math.RoundToEven(float64(v * k)))
		q[i] = int8(n)
		sum += n
	}
	return most / 127, sum * 128
}

// GELU, x*(1+erf(x/sqrt 2))/2, is x*(0.5 + z*P(z*z)), z being x held within 4.5: at
// most 5e-5 off for |x| < 12, a tenth of what rounding to 8 bits takes away.
var geluHeld float32 = 4.5

var geluP = [...]float32{
	0.39871254563331604, -0.0659845769405365, 0.009585155174136162, -0.0010375773999840021,
	8.142294245772064e-05, -4.45152318206965e-06, 1.5908864270386402e-07, -3.314342356119937e-09, 3.036040169268617e-11,
}

//go:norace
func geluGo(x, by []float32) {
	for i, v := range x {
		z := max(min(v, geluHeld), -geluHeld)
		p := geluP[len(geluP)-1]
		for j := len(geluP) - 2; j >= 0; j-- {
			p = p*z*z + geluP[j]
		}
		x[i] = v * (0.5 + z*p) * by[i]
	}
}

// exp is 2^n times a polynomial of degree 5 for what is left, |f| <= 0.5: relative
// error 2.4e-6.
var expP = [...]float32{1, 0.6931472, 0.24022652, 0.05550333, 0.009618384, 0.0013333558}

// expC is log2 e and the least exponent: below it, 2^n is no normal number.
var expC = [...]float32{1.44269504, -126}

//go:norace
func softmaxGo(x []float32) (sum float32) {
	most := float32(-math.MaxFloat32)
	for _, v := range x {
		most = max(most, v)
	}
	for i, v := range x {
		z := max((v-most)*expC[0], expC[1])
		n := float32(math.RoundToEven(float64(z)))
		f := z - n
		p := expP[5]
		for j := 4; j >= 0; j-- {
			p = p*f + expP[j]
		}
		x[i] = math.Float32frombits(math.Float32bits(p) + uint32(int32(n))<<23)
		sum += x[i]
	}
	return sum
}

//go:norace
func matmulGo(c []float32, ldc int, a []float32, lda int, b []float32, ldb, k, n int) {
	for r := range tile {
		row := c[r*ldc : r*ldc+n]
		clear(row)
		for i := range k {
			v := a[r*lda+i]
			for j, w := range b[i*ldb : i*ldb+n] {
				row[j] += v * w
			}
		}
	}
}

//go:norace
func normGo(x, y, q, w, b, qw, qb []float32, epsilon float32) {
	var sum, square float32
	for i := range x {
		if len(y) > 0 {
			x[i] += y[i]
		}
		sum += x[i]
	}
	mean := sum / float32(len(x))
	for _, v := range x {
		square += (v - mean) * (v - mean)
	}
	k := 1 / float32(math.Sqrt(float64(square/float32(len(x))+epsilon)))
	for i, v := range x {
		z := (v - mean) * k
		x[i], q[i] = z*w[i]+b[i], z*qw[i]+qb[i]
	}
}

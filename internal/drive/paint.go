package drive

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math"

	"duet/internal/fault"
)

// The colours of what is drawn on pictures.
var (
	maskColor  = color.RGBA{0x2b, 0x2b, 0x2b, 0xff}
	labelColor = color.RGBA{0xc0, 0x10, 0x40, 0xff}
	inkColor   = color.RGBA{0xff, 0xff, 0xff, 0xff}
)

// painted draws on a picture, scales it down where it is too large, and encodes it.
func painted(data []byte, a area, paints []paint, format string) (Picture, error) {
	from, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return Picture{}, fault.New(fault.Internal, "draw a screenshot: what came is no PNG").Because(err)
	}
	img, ok := from.(draw.Image)
	if !ok {
		copied := image.NewRGBA(from.Bounds())
		draw.Draw(copied, copied.Bounds(), from, from.Bounds().Min, draw.Src)
		img = copied
	}
	p := Picture{Format: "png", Scale: 1}
	// By the picture itself: a browser may round a fraction of a pixel its own way.
	dpr := a.dpr
	if a.clipped && a.W > 0 {
		dpr = float64(img.Bounds().Dx()) / a.W
	}
	for _, x := range paints {
		if x.ref != "" {
			continue
		}
		r := image.Rect(int(math.Floor(x.X*dpr))-1, int(math.Floor(x.Y*dpr))-1, int(math.Ceil((x.X+x.W)*dpr))+1, int(math.Ceil((x.Y+x.H)*dpr))+1)
		draw.Draw(img, r.Intersect(img.Bounds()), image.NewUniform(maskColor), image.Point{}, draw.Src)
		p.Masked++
	}
	for _, x := range paints {
		if x.ref != "" {
			label(img, image.Rect(int(x.X*dpr), int(x.Y*dpr), int(math.Ceil((x.X+x.W)*dpr)), int(math.Ceil((x.Y+x.H)*dpr))), x.ref, max(1, int(math.Round(dpr))))
			p.Labelled++
		}
	}
	if n := img.Bounds().Dx() * img.Bounds().Dy(); n > maxPicture {
		p.Scale = math.Sqrt(maxPicture / float64(n))
		img = smaller(img, p.Scale)
	}
	p.Width, p.Height = img.Bounds().Dx(), img.Bounds().Dy()
	var out bytes.Buffer
	if format == "jpeg" {
		p.Format = "jpeg"
		err = jpeg.Encode(&out, img, &jpeg.Options{Quality: 85})
	} else {
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, img)
	}
	if err != nil {
		return Picture{}, fault.New(fault.Internal, "draw a screenshot: the picture cannot be encoded").Because(err)
	}
	p.PNG = out.Bytes()
	return p, nil
}

// Thumbnail is a JPEG of a picture of at most so many bytes: smaller the less room
// there is. It returns nil where none is small enough, or the picture is neither PNG
// nor JPEG.
func Thumbnail(data []byte, most int) (out []byte, width, height int) {
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, 0, 0
	}
	size := img.Bounds()
	for _, side := range []int{1280, 1024, 800, 640, 480, 320, 200} {
		scale := min(1, float64(side)/float64(max(size.Dx(), size.Dy())))
		small := img
		if scale < 1 {
			small = smaller(img, scale)
		}
		var b bytes.Buffer
		if jpeg.Encode(&b, small, &jpeg.Options{Quality: 60}) == nil && b.Len() <= most {
			return b.Bytes(), small.Bounds().Dx(), small.Bounds().Dy()
		}
	}
	return nil, 0, 0
}

// smaller scales a picture down; each pixel is the mean of those it stands for.
func smaller(img image.Image, scale float64) draw.Image {
	from := img.Bounds()
	w, h := max(1, int(float64(from.Dx())*scale)), max(1, int(float64(from.Dy())*scale))
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	src, ok := img.(*image.RGBA)
	if !ok {
		src = image.NewRGBA(from)
		draw.Draw(src, from, img, from.Min, draw.Src)
	}
	for y := range h {
		y0, y1 := y*from.Dy()/h, max((y+1)*from.Dy()/h, y*from.Dy()/h+1)
		for x := range w {
			x0, x1 := x*from.Dx()/w, max((x+1)*from.Dx()/w, x*from.Dx()/w+1)
			var sum [4]int
			for j := y0; j < y1; j++ {
				at := j*src.Stride + x0*4
				for range x1 - x0 {
					for c := range 4 {
						sum[c] += int(src.Pix[at+c])
					}
					at += 4
				}
			}
			n, at := (y1-y0)*(x1-x0), out.PixOffset(x, y)
			for c := range 4 {
				out.Pix[at+c] = uint8(sum[c] / n)
			}
		}
	}
	return out
}

// label draws the frame of an element and its ref at the upper left corner.
func label(img draw.Image, r image.Rectangle, ref string, scale int) {
	ink := image.NewUniform(labelColor)
	edge := func(r image.Rectangle) { draw.Draw(img, r.Intersect(img.Bounds()), ink, image.Point{}, draw.Src) }
	edge(image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+scale))
	edge(image.Rect(r.Min.X, r.Max.Y-scale, r.Max.X, r.Max.Y))
	edge(image.Rect(r.Min.X, r.Min.Y, r.Min.X+scale, r.Max.Y))
	edge(image.Rect(r.Max.X-scale, r.Min.Y, r.Max.X, r.Max.Y))
	w, h := (len(ref)*6+3)*scale, 11*scale
	at := image.Pt(max(0, min(r.Min.X, img.Bounds().Max.X-w)), max(0, min(r.Min.Y, img.Bounds().Max.Y-h)))
	edge(image.Rect(at.X, at.Y, at.X+w, at.Y+h))
	for i, c := range ref {
		for row, bits := range glyphs[c] {
			for col := range 5 {
				if bits>>(4-col)&1 == 1 {
					x, y := at.X+(2+i*6+col)*scale, at.Y+(2+row)*scale
					draw.Draw(img, image.Rect(x, y, x+scale, y+scale).Intersect(img.Bounds()), image.NewUniform(inkColor), image.Point{}, draw.Src)
				}
			}
		}
	}
}

// glyphs are what refs are written with, five dots by seven.
var glyphs = map[rune][7]byte{
	'e': {0b00000, 0b00000, 0b01110, 0b10001, 0b11111, 0b10000, 0b01110},
	'0': {0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110},
	'1': {0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110},
	'2': {0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111},
	'3': {0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110},
	'4': {0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010},
	'5': {0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110},
	'6': {0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110},
	'7': {0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000},
	'8': {0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110},
	'9': {0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100},
}

// webpSize reads the size of a WebP picture.
func webpSize(b []byte) (w, h int, ok bool) {
	if len(b) < 30 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WEBP" {
		return 0, 0, false
	}
	switch string(b[12:16]) {
	case "VP8 ":
		return int(binary.LittleEndian.Uint16(b[26:])) & 0x3fff, int(binary.LittleEndian.Uint16(b[28:])) & 0x3fff, true
	case "VP8L":
		n := binary.LittleEndian.Uint32(b[21:])
		return int(n&0x3fff) + 1, int(n>>14&0x3fff) + 1, true
	case "VP8X":
		size := func(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
		return size(b[24:]) + 1, size(b[27:]) + 1, true
	}
	return 0, 0, false
}

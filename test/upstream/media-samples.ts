/** The smallest files of each kind, for upstreams that make media. */

/** Three by two pixels. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAABHNCSVQICAgIfAhkiAAAAAFzUkdCAK7OHOkAAAAQSURBVAiZY2BgYPjPgA0AABYEAQC+FTIaAAAAAElFTkSuQmCC",
  "base64",
);

/** One silent frame of MPEG-1 layer III at 128 kbit/s and 44.1 kHz. */
export const MP3 = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413)]);

export const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
export const HTML = Buffer.from("<!doctype html><title>Busy</title>");

/** Its header says sixty megapixels. */
export const BOMB = Buffer.from(PNG);
BOMB.writeUInt32BE(60_000, 16);
BOMB.writeUInt32BE(1_000, 20);

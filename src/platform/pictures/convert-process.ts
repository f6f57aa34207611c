/**
 * A process of its own that checks and converts one picture: bytes on the standard input,
 * `encodeConverted` on the standard output. A picture that may not be decoded ends it with `REFUSED`
 * and `RefusedPicture` as JSON. The argument is a `Conversion`. A crash, a hang or the memory of a decoder
 * cannot hurt the shop.
 */
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { yieldToShop } from '#src/platform/process/yield-to-shop.ts';
import {
  encodeConverted,
  ICON_SIDES,
  MAIN_WIDTH,
  PREVIEW_WIDTH,
  PRIVATE_WIDTH,
  REFUSED,
  SMALL_WIDTH,
  TOUCH_ICON_SIDE,
  WIDTHS,
} from './picture-files.ts';
import type { Conversion, ConvertedPicture, RefusedPicture } from './picture-files.ts';
import { isDecodable, MAX_PIXELS } from './picture-limits.ts';
import { readPictureHeader } from './read-header.ts';
import type { PictureFormat } from './read-header.ts';

/** Half the time of the default effort, for files that are 3 to 13 % larger. */
const AVIF = { quality: 60, effort: 3, chromaSubsampling: '4:2:0' };
const PREVIEW = { quality: 82, mozjpeg: true };
/** Without a subsampled colour, so that bars and small text of a label stay sharp. */
const PRIVATE = { quality: 84, mozjpeg: true, chromaSubsampling: '4:4:4' };
const WHITE = '#fff';
const NICENESS = 10;
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };

/** Allows only the decoders that uploads may use. */
function blockOtherFormats(): void {
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  const loaders = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((name) => `VipsForeignLoad${name}Buffer`);
  sharp.unblock({ operation: loaders });
}

/** The first frame upright in sRGB as pixels, at most as large as the widest file. */
async function decode(bytes: Buffer, expected: PictureFormat) {
  // The format that was checked must be the one that is decoded.
  const { format } = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata();
  if ((format === 'heif' ? 'avif' : format) !== expected) throw new Error(`decoded as ${format}, not ${expected}`);
  const widest = Math.max(...WIDTHS);
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .autoOrient()
    .toColourspace('srgb')
    .resize({ width: widest, height: 2 * widest, fit: 'inside', withoutEnlargement: true })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
}

/** Re-encodes the pixels; metadata and everything else in the file is dropped. Transparency stays. */
async function convert(bytes: Buffer, format: PictureFormat): Promise<ConvertedPicture> {
  const { data, info } = await decode(bytes, format);
  const { width, height, channels } = info;
  const resize = (to: number) =>
    sharp(data, { raw: { width, height, channels } }).resize({
      width: to,
      height: 2 * to,
      fit: 'inside',
      withoutEnlargement: true,
    });
  let main = { width, height };
  const files: Buffer[] = [];
  for (const to of WIDTHS) {
    const last = files.at(-1);
    if (last !== undefined && to > MAIN_WIDTH && main.width === width && main.height === height) {
      files.push(last);
      continue;
    }
    const made = await resize(to).avif(AVIF).toBuffer({ resolveWithObject: true });
    if (to === MAIN_WIDTH) main = made.info;
    files.push(made.data);
  }
  files.push(await resize(PREVIEW_WIDTH).flatten({ background: WHITE }).jpeg(PREVIEW).toBuffer());
  return { width: main.width, height: main.height, files };
}

/** The whole picture in squares; what it does not fill is transparent. */
async function makeIcons(bytes: Buffer, format: PictureFormat): Promise<ConvertedPicture> {
  const { data, info } = await decode(bytes, format);
  const { width, height, channels } = info;
  const files: Buffer[] = [];
  for (const side of ICON_SIDES) {
    const background = side === TOUCH_ICON_SIDE ? WHITE : CLEAR;
    const icon = sharp(data, { raw: { width, height, channels } })
      .ensureAlpha()
      .resize({ width: side, height: side, fit: 'contain', background });
    files.push(await (side === TOUCH_ICON_SIDE ? icon.flatten({ background }) : icon).png().toBuffer());
  }
  const largest = Math.max(...ICON_SIDES);
  return { width: largest, height: largest, files };
}

/** JPEGs, which every program of a manufacturer or carrier opens, and which cost a tenth of the time of AVIF. */
async function makePrivate(bytes: Buffer, format: PictureFormat): Promise<ConvertedPicture> {
  const { data, info } = await decode(bytes, format);
  const { width, height, channels } = info;
  const resize = (to: number) =>
    sharp(data, { raw: { width, height, channels } })
      .resize({ width: to, height: 2 * to, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: WHITE })
      .jpeg(PRIVATE)
      .toBuffer({ resolveWithObject: true });
  const [large, small] = [await resize(PRIVATE_WIDTH), await resize(SMALL_WIDTH)];
  return { width: large.info.width, height: large.info.height, files: [large.data, small.data] };
}

const CONVERSIONS: Readonly<Record<Conversion, typeof convert>> = {
  picture: convert,
  icons: makeIcons,
  private: makePrivate,
};

function findConversion(name = ''): typeof convert {
  if (name === 'picture' || name === 'icons' || name === 'private') return CONVERSIONS[name];
  throw new Error(`unknown conversion "${name}"`);
}

function refuse(refused: RefusedPicture): void {
  process.stdout.write(JSON.stringify(refused));
  process.exitCode = REFUSED;
}

yieldToShop(NICENESS);
blockOtherFormats();
const input = await buffer(process.stdin);
const header = readPictureHeader(input);
if (header === null) refuse({ reason: 'unsupported' });
else if (!isDecodable(header)) refuse({ reason: 'too-many-pixels', width: header.width, height: header.height });
else {
  process.stdout.write(encodeConverted(await findConversion(process.argv[2])(input, header.format)));
}

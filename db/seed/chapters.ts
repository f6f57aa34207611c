/** What the makers of three devices say in large figures. The descriptions and specifications name each of them. */
import type { Chapter } from '#src/shop/catalogue/chapters/chapters.ts';

interface SeedChapter extends Omit<Chapter, 'picture'> {
  /** Of the first colour. */
  readonly view: string;
}

/** By the slug of the product. */
const CHAPTERS: Readonly<Record<string, readonly SeedChapter[]>> = {
  'iphone-17-pro': [
    {
      view: 'side',
      figure: '48 MP',
      title: 'in each of the three rear cameras',
      sentence:
        'The telephoto reaches four times closer optically, and eight times with the middle of its sensor. The front camera takes wide selfies without turning the phone.',
    },
    {
      view: 'front',
      figure: 'Up to 120 Hz',
      title: 'on a 6.3-inch display',
      sentence: 'Text and games move smoothly on the OLED display, which Ceramic Shield 2 covers.',
    },
    {
      view: 'back',
      figure: 'Up to 33 hours',
      title: 'of video on one charge',
      sentence:
        'The body is milled from one block of aluminum. A vapour chamber inside carries heat away from the A19 Pro, so long recordings and games run at full speed for longer.',
    },
  ],
  'macbook-pro-14-m5': [
    {
      view: 'open',
      figure: '1,600 nits',
      title: 'at the peak, in HDR',
      sentence:
        'The mini-LED display measures 14.2 inches, sustains 1,000 nits and refreshes up to 120 times a second.',
    },
    {
      view: 'detail',
      figure: 'Up to 24 hours',
      title: 'of video on one charge',
      sentence:
        'The M5 puts a neural accelerator into each of its ten graphics cores, which speeds up models that run on the notebook itself.',
    },
    {
      view: 'side',
      figure: '3 ports',
      title: 'for Thunderbolt 4, beside HDMI and SDXC',
      sentence: 'HDMI and a card reader are built in, so most adapters can stay at home.',
    },
  ],
  'ipad-pro-13-m5': [
    {
      view: 'side',
      figure: '5.1 mm',
      title: 'thin, less than a pencil',
      sentence: 'It weighs 579 g, and its large display shows an A4 sheet with room for the tools.',
    },
    {
      view: 'front',
      figure: '1,600 nits',
      title: 'at the peak, in HDR',
      sentence:
        'The tandem OLED display reaches 1,000 nits over its whole area, and refreshes 10 to 120 times a second.',
    },
    {
      view: 'back',
      figure: 'Up to 10 hours',
      title: 'of web or video on one charge',
      sentence: 'Thunderbolt connects drives, audio interfaces and a display of up to 120 Hz.',
    },
  ],
};

/** The chapters of a product with the paths of its pictures. */
export const listChapters = (slug: string, images: readonly string[]): readonly Chapter[] =>
  (CHAPTERS[slug] ?? []).map(({ view, figure, title, sentence }) => ({
    picture: images.find((path) => path.endsWith(`/${view}.avif`)) ?? null,
    figure,
    title,
    sentence,
  }));

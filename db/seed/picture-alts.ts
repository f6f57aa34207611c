/** What the pictures of the flagships show. Pictures of other products have the default text, which names the product. */
import type { SeedProduct } from './seed-category.ts';

/** Alternative texts by the slug of the product and the view. `device` is the product in its color. */
const ALTS: Readonly<Record<string, Readonly<Record<string, (device: string) => string>>>> = {
  'iphone-17-pro': {
    back: (device) => `${device}: its display, and behind it its back with three cameras`,
    front: (device) => `${device} from the front`,
    side: (device) => `${device} from behind, with the Action button and the volume buttons on its side`,
    detail: (device) => `The three rear cameras and the flash of the ${device}`,
    scale: (device) => `${device} next to a bank card, which is a little more than half as tall`,
    box: (device) => `White box with a picture of the ${device} on its lid`,
  },
  'macbook-pro-14-m5': {
    open: (device) => `${device}, open`,
    closed: (device) => `${device}, closed`,
    side: (device) => `${device}, open, from the left`,
    detail: (device) => `Keyboard and trackpad of the ${device} from above`,
    ports: (device) => `The left side of the ${device}: MagSafe, two Thunderbolt ports and the headphone jack`,
    scale: (device) => `${device}, open, with a bank card next to it to compare sizes`,
    box: (device) => `White box with a picture of the ${device} on its lid`,
  },
  'ipad-pro-13-m5': {
    front: (device) => `${device}: its display in landscape, and behind it its back with the camera`,
    back: (device) => `${device} from behind`,
    side: (device) => `${device} in landscape, seen from an angle`,
    detail: (device) => `The camera and the flash of the ${device}, beside its top button and volume buttons`,
    port: (device) => `The Thunderbolt port of the ${device} between its speakers`,
    scale: (device) => `${device} with a bank card next to it to compare sizes`,
    box: (device) => `White box with a picture of the ${device} on its lid`,
  },
};

/**
 * Alternative texts by path.
 * @param images of the first color
 * @param colorImages of the other colors, by color
 */
export function listAlts(
  { slug, name, offers }: SeedProduct,
  images: readonly string[],
  colorImages: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, string>> {
  const [firstColor = ''] = offers['Color'] ?? [];
  const ofColors = Object.entries({ [firstColor]: images, ...colorImages });
  return Object.fromEntries(
    ofColors.flatMap(([color, paths]) =>
      paths.flatMap((path) => {
        const write = ALTS[slug]?.[/([a-z]+)\.avif$/.exec(path)?.[1] ?? ''];
        return write ? [[path, write(`${name} in ${color}`)]] : [];
      }),
    ),
  );
}

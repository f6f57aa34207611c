import type { ComponentProps } from 'react';
import { preload } from 'react-dom';

/** The width of the file without a width in its name. */
const DEFAULT_WIDTH = 1024;
const WIDTHS = [320, 640, DEFAULT_WIDTH];

interface PictureProps extends Pick<ComponentProps<'img'>, 'className'> {
  /** As the catalogue gives it: `/images/name.avif`. */
  readonly path: string;
  readonly alt: string;
  /** How wide it is shown, as in `(max-width: 767px) 70vw, 280px`. */
  readonly sizes: string;
  /** Its box in px; pictures of products are square. */
  readonly width?: number;
  readonly height?: number;
  /** The widths in px that there are of it, 640 among them. */
  readonly widths?: readonly number[];
  /** What is seen first is loaded first; everything else waits until it comes near. */
  readonly isFirst?: boolean;
}

/** A picture of the catalogue in the width that fits. */
export function Picture({
  path,
  alt,
  sizes,
  width = 640,
  height = 640,
  widths = WIDTHS,
  isFirst = false,
  ...rest
}: PictureProps) {
  return (
    <img
      {...rest}
      {...createSources(path, widths)}
      alt={alt}
      sizes={sizes}
      width={width}
      height={height}
      loading={isFirst ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : 'auto'}
      decoding="async"
    />
  );
}

function createSources(path: string, widths: readonly number[]) {
  const stem = `/api${path.replace(/\.avif$/, '')}`;
  return {
    src: `${stem}-640.avif`,
    srcSet: widths
      .map((pixels) => `${pixels === DEFAULT_WIDTH ? stem : `${stem}-${pixels}`}.avif ${pixels}w`)
      .join(', '),
  };
}

/** On the server: announces a first picture in the head, as React does by itself where it renders one. */
export function preloadPicture(path: string, sizes: string): void {
  const { src, srcSet } = createSources(path, WIDTHS);
  preload(src, { as: 'image', imageSrcSet: srcSet, imageSizes: sizes, fetchPriority: 'high' });
}

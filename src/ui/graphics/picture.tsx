import type { ComponentProps } from 'react';
import { preload } from 'react-dom';
import { classNames } from '../styles/class-names.ts';

/** Width of the file that has no width in its name. */
const DEFAULT_WIDTH = 1024;
const WIDTHS = [320, 640, DEFAULT_WIDTH];

interface PictureProps extends Pick<ComponentProps<'img'>, 'className'> {
  /** Path in the catalogue: `/images/name.avif`. */
  readonly path: string;
  readonly alt: string;
  /** The `sizes` attribute: `(max-width: 767px) 70vw, 280px`. */
  readonly sizes: string;
  /** Box in px; product pictures are square. */
  readonly width?: number;
  readonly height?: number;
  /** Available widths in px; must include 640. */
  readonly widths?: readonly number[];
  /** Loaded with priority; all other pictures are lazy. */
  readonly isFirst?: boolean;
}

/** A responsive picture of the catalogue. */
export function Picture({
  path,
  alt,
  sizes,
  width = 640,
  height = 640,
  widths = WIDTHS,
  isFirst = false,
  className,
}: PictureProps) {
  return (
    <img
      className={classNames('device', className)}
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

/** The `src` and `srcset` of a picture with files of these widths. */
export function createSources(path: string, widths: readonly number[]) {
  const stem = `/api${path.replace(/\.avif$/, '')}`;
  return {
    src: `${stem}-640.avif`,
    srcSet: widths
      .map((pixels) => `${pixels === DEFAULT_WIDTH ? stem : `${stem}-${pixels}`}.avif ${pixels}w`)
      .join(', '),
  };
}

/** Server only: preloads a priority picture, as React does where it renders one. */
export function preloadPicture(path: string, sizes: string): void {
  const { src, srcSet } = createSources(path, WIDTHS);
  preload(src, { as: 'image', imageSrcSet: srcSet, imageSizes: sizes, fetchPriority: 'high' });
}

import { LineArt } from './line-art.tsx';

type IconName = keyof typeof paths;

/** Every page loads them: lines only, so that each icon is one path. */
const paths = {
  arrowLeft: 'M19 12H5m6-6-6 6 6 6',
  bag: 'M6 8h12l1 12H5L6 8Zm3 0V7a3 3 0 0 1 6 0v1',
  bitcoin:
    'M2.5 12a9.5 9.5 0 1 0 19 0 9.5 9.5 0 1 0-19 0M9.5 7.5h3.4a2.2 2.2 0 0 1 0 4.4H9.5zm0 4.4h4a2.3 2.3 0 0 1 0 4.6h-4zM11 6v1.5m2-1.5v1.5m-2 9V18m2-1.5V18',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevronDown: 'm6 9 6 6 6-6',
  chevronLeft: 'm15 6-6 6 6 6',
  chevronRight: 'm9 6 6 6-6 6',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  grid: 'M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z',
  home: 'M4 11 12 4l8 7v9h-5.5v-5.5h-5V20H4v-9Z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  minus: 'M5 12h14',
  pin: 'M12 21s7-6.2 7-11a7 7 0 0 0-14 0c0 4.8 7 11 7 11ZM9.5 10a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0',
  plus: 'M12 5v14M5 12h14',
  search: 'M4.5 11a6.5 6.5 0 1 0 13 0 6.5 6.5 0 1 0-13 0M16 16l4.5 4.5',
  sliders:
    'M4 7h9m5 0h2M4 17h2m5 0h9M15.5 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM8.5 14.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
  trash: 'M5 7h14M10 7V4.5h4V7m-7.5 0 .8 13h9.4l.8-13',
  truck:
    'M3 6h11v10H3zM14 9.5h3.5L21 13v3h-7M5.2 17.5a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0M15.2 17.5a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0',
  user: 'M8 8a4 4 0 1 0 8 0 4 4 0 1 0-8 0M4.5 20.5c.7-4 3.8-6 7.5-6s6.8 2 7.5 6',
} as const;

interface IconProps {
  readonly name: IconName;
  /** Width and height in px. */
  readonly size?: number;
}

/** An icon of the shop's set. */
export function Icon({ name, size = 20 }: IconProps) {
  return (
    <LineArt size={size}>
      <path d={paths[name]} />
    </LineArt>
  );
}

import { BLACK, CLASS_COLOURS, drawDocument, drawElement, drawPath, drawText, WHITE } from './draw-svg.ts';
import type { EnergyClass } from './energy-label.ts';

/** Size of the picture, in its own units. */
export const ARROW_SIZE = { width: 76, height: 40 } as const;
const DEMO_SCALE = 0.62;

/**
 * The arrow beside a price that opens the energy label, with the range of classes at its left (Delegated Regulation (EU)
 * 2023/1669, on nested displays): white letter in the middle of the rectangular part, black border around both.
 * @param isDemo says that the class is not the maker's
 */
export function drawArrow(energyClass: EnergyClass, isDemo: boolean): string {
  const { width, height } = ARROW_SIZE;
  const range = [
    drawElement('rect', { x: 0.5, y: 0.5, width: 18, height: height - 1, fill: WHITE, stroke: BLACK }),
    drawText('A', { x: 9.5, y: 13, size: 12, anchor: 'middle' }, { 'font-weight': 'bold', fill: BLACK }),
    drawPath('M9.5 15.5l3.5 5h-2.5v4h-2v-4H6z', { fill: BLACK }),
    drawText('G', { x: 9.5, y: 36.5, size: 12, anchor: 'middle' }, { 'font-weight': 'bold', fill: BLACK }),
  ];
  const arrow = [
    drawPath(`M18.5 .5H55.5L75 20 55.5 39.5H18.5z`, { fill: CLASS_COLOURS[energyClass], stroke: BLACK }),
    drawText(
      energyClass,
      { x: 37, y: 30.5, size: 30, anchor: 'middle' },
      {
        'font-family': 'Calibri, Carlito, Verdana, sans-serif',
        'font-weight': 'bold',
        fill: WHITE,
        stroke: BLACK,
        'stroke-width': 3,
        'paint-order': 'stroke',
        'stroke-linejoin': 'round',
      },
    ),
  ];
  const content = [...range, ...arrow].join('');
  return drawDocument(
    { width, height, title: `Energy efficiency class ${energyClass}, range A to G` },
    isDemo ? drawDemo(content) : content,
  );
}

/** The arrow above the words on a white sticker, in the same space. */
function drawDemo(arrow: string): string {
  const { width, height } = ARROW_SIZE;
  const side = (width * (1 - DEMO_SCALE)) / 2;
  const place = { x: width / 2, y: height - 2.5, size: 12.5, anchor: 'middle', maxWidth: width - 2 } as const;
  return (
    drawElement('rect', { x: 0, y: 0, width, height, rx: 6, fill: WHITE }) +
    drawElement('g', { transform: `translate(${side} 2) scale(${DEMO_SCALE})` }, arrow) +
    drawText('demo label', place, { fill: BLACK })
  );
}

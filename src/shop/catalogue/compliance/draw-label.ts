/**
 * Draws the energy label of a smartphone or tablet, twice as high as wide, with the elements of Annex III of Delegated
 * Regulation (EU) 2023/1669 in their order.
 */
import { BLACK, CLASS_COLOURS, drawDocument, drawElement, drawPath, drawText, WHITE } from './draw-svg.ts';
import { ENERGY_CLASSES, formatEndurance, listLabelFacts } from './energy-label.ts';
import type { EnergyLabel } from './energy-label.ts';

export const LABEL_SIZE = { width: 192, height: 384 } as const;
const BLUE = '#003399';
const YELLOW = '#ffcc00';
const REGULATION = '2023/1669';
const BOLD = { 'font-weight': 'bold' };

export interface DrawnLabel {
  readonly label: EnergyLabel;
  /** Name or trademark of the supplier, and identifier of the model. */
  readonly supplier: string;
  readonly model: string;
  /** Code that leads to the product in EPREL; null without a registration number. */
  readonly qr: { readonly size: number; readonly path: string } | null;
  /** Says that nothing on the label is the maker's. */
  readonly isDemo: boolean;
}

export function drawLabel({ label, supplier, model, qr, isDemo }: DrawnLabel): string {
  const { width, height } = LABEL_SIZE;
  const names = { size: 9, y: 64, maxWidth: 84 };
  const content = [
    drawElement('rect', { x: 0.5, y: 0.5, width: width - 1, height: height - 1, fill: WHITE, stroke: BLACK }),
    drawHead(qr),
    drawText(supplier, { ...names, x: 8 }),
    drawText(model, { ...names, x: width - 8, anchor: 'end' }),
    drawLine(72),
    drawScale(label),
    drawLine(244),
    drawEndurance(label),
    drawLine(290),
    drawFacts(label),
    drawText(REGULATION, { x: width - 8, y: 379, size: 6, anchor: 'end' }),
    ...(isDemo ? [drawDemo()] : []),
  ];
  const facts = listLabelFacts(label).map(([name, value]) => `${name}: ${value}.`);
  const demo = isDemo ? 'This is a demo label: its values are not those of the maker. ' : '';
  return drawDocument(
    {
      width,
      height,
      title: `${isDemo ? 'Demo label' : 'Energy label'} of ${supplier} ${model}: class ${label.class}`,
      description: `${demo}${facts.join(' ')} Regulation ${REGULATION}.`,
    },
    content.join(''),
  );
}

const drawLine = (y: number): string =>
  drawPath(`M8 ${y}H${LABEL_SIZE.width - 8}`, { stroke: BLACK, 'stroke-width': 0.75 });

/** Flag of the EU, the word and the code. */
function drawHead(qr: DrawnLabel['qr']): string {
  const stars = Array.from({ length: 12 }, (_, at) => {
    const angle = (at * Math.PI) / 6;
    const [x, y] = [25 + 11 * Math.sin(angle), 26.5 - 11 * Math.cos(angle)];
    return drawElement('circle', { cx: round(x), cy: round(y), r: 1.6, fill: YELLOW });
  });
  const code =
    qr === null
      ? ''
      : drawElement('rect', { x: 142, y: 5, width: 43, height: 43, fill: WHITE }) +
        drawPath(qr.path, { transform: `translate(142 5) scale(${round(43 / qr.size)})`, fill: BLACK });
  return [
    drawElement('rect', { x: 5, y: 5, width: 132, height: 43, fill: BLUE }),
    ...stars,
    drawText('ENERG', { x: 46, y: 35, size: 23 }, { ...BOLD, fill: WHITE }),
    drawPath('M130 12l-6 16h5l-3 14 8-19h-5l5-11z', { fill: WHITE }),
    code,
  ].join('');
}

const round = (number: number): number => Math.round(number * 1000) / 1000;

/** Arrows of all classes, longer for a worse one, and the black arrow of this one. */
function drawScale({ class: energyClass }: EnergyLabel): string {
  const step = 24;
  const bars = ENERGY_CLASSES.map((name, at) => {
    const [y, end] = [78 + at * step, 60 + at * 9];
    return (
      drawPath(`M8 ${y}H${end}l9 9-9 9H8z`, { fill: CLASS_COLOURS[name], stroke: BLACK, 'stroke-width': 0.5 }) +
      drawText(name, { x: 12, y: y + 14.5, size: 15 }, { ...BOLD, fill: WHITE, ...OUTLINE })
    );
  });
  const y = 78 + ENERGY_CLASSES.indexOf(energyClass) * step;
  const own =
    drawPath(`M184 ${y - 3}H152l-12 12 12 12H184z`, { fill: BLACK }) +
    drawText(energyClass, { x: 167, y: y + 17, size: 22, anchor: 'middle' }, { ...BOLD, fill: WHITE });
  return bars.join('') + own;
}

const OUTLINE = { stroke: BLACK, 'stroke-width': 1.5, 'paint-order': 'stroke', 'stroke-linejoin': 'round' };

/** Battery endurance per cycle. */
const drawEndurance = ({ endurance_minutes: minutes }: EnergyLabel): string =>
  drawPath('M28 256h34v22H28zM62 262h4v10h-4zM32 260h22v14H32z', { fill: 'none', stroke: BLACK, 'stroke-width': 2 }) +
  drawPath('M45 257l-7 11h5l-2 9 8-12h-5z', { fill: BLACK }) +
  drawText(formatEndurance(minutes), { x: 128, y: 273, size: 17, anchor: 'middle', maxWidth: 104 }, BOLD);

/** The four values below, each under its icon. */
function drawFacts({ fall_class, endurance_cycles, repair_class, ip_rating }: EnergyLabel): string {
  const icon = { fill: 'none', stroke: BLACK, 'stroke-width': 1.75, 'stroke-linejoin': 'round' };
  const drawScaleOf = (value: string, x: number, y: number): string =>
    drawText(value, { x, y, size: 17, anchor: 'middle' }, BOLD) +
    drawText('A – E', { x, y: y + 8, size: 6, anchor: 'middle' });
  return [
    drawPath(`M96 290V370M8 330H184`, { stroke: BLACK, 'stroke-width': 0.75 }),
    // A phone that falls.
    drawPath('M24 300l10-4 8 19-10 4zM18 322h32M46 298v8M51 301v7', icon),
    drawScaleOf(fall_class, 72, 312),
    // A battery that is charged again and again.
    drawPath(
      'M110 304h20v12h-20zM130 308h3v4h-3M106 300a16 11 0 0 1 30-1m1-5v6h-6M137 320a16 11 0 0 1-30 1m-1 5v-6h6',
      icon,
    ),
    drawText(`${endurance_cycles}×`, { x: 160, y: 316, size: 13, anchor: 'middle', maxWidth: 42 }, BOLD),
    // A spanner.
    drawPath('M22 362l14-14a7 7 0 0 1 9-9l-5 5 1 4 4 1 5-5a7 7 0 0 1-9 9l-14 14a3 3 0 0 1-5-5z', icon),
    drawScaleOf(repair_class, 72, 352),
    // A drop and dust.
    drawPath('M116 338c6 8 9 12 9 16a9 9 0 0 1-18 0c0-4 3-8 9-16zM132 344h1M136 350h1M131 357h1M137 361h1', icon),
    drawText(ip_rating, { x: 162, y: 357, size: 13, anchor: 'middle', maxWidth: 42 }, BOLD),
  ].join('');
}

/** A band across the scale. */
const drawDemo = (): string =>
  drawElement(
    'g',
    { transform: 'rotate(-24 96 160)' },
    drawElement('rect', { x: -14, y: 147, width: 220, height: 26, fill: WHITE, stroke: BLACK }) +
      drawText('DEMO LABEL', { x: 96, y: 167, size: 19, anchor: 'middle' }, BOLD),
  );

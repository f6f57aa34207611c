import { splitUnbroken } from './split-unbroken.ts';

/** A text whose short words with hyphens, order numbers included, do not break at the hyphen. */
export const Unbroken = ({ text }: { readonly text: string }) =>
  splitUnbroken(text).map((piece) =>
    piece.isUnbroken ? (
      <span key={piece.at} className="unbroken-word">
        {piece.text}
      </span>
    ) : (
      piece.text
    ),
  );

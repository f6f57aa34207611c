import { LineArt } from '#src/ui/graphics/line-art.tsx';

/** Not one of `ui/graphics/icons.tsx`, which every page loads: only password fields show it. */
export function EyeIcon({ isCrossed }: { readonly isCrossed: boolean }) {
  return (
    <LineArt size={20}>
      {isCrossed ? (
        <>
          <path d="M9.9 5.7a9 9 0 0 1 2.1-.2c6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-2.6 3.4M6.4 7.3A15.5 15.5 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4.3-1.1" />
          <path d="M9.9 9.9a3 3 0 0 0 4.2 4.2M4 4l16 16" />
        </>
      ) : (
        <>
          <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
          <circle cx="12" cy="12" r="3" />
        </>
      )}
    </LineArt>
  );
}

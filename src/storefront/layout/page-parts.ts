/** Parts of the frame that only some pages need: the module that needs one adds it, so that other pages do not load it. */
import type { ComponentType } from 'react';
import { createStore } from '#src/ui/react/store.ts';

export const pageParts = createStore<{ readonly Reloads: ComponentType | null }>({ Reloads: null });

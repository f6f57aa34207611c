import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [reactRouter()],
  build: {
    // A picture inside a style sheet or a script delays what stands around it.
    assetsInlineLimit: 0,
    // The server serves `public` from where it is.
    copyPublicDir: false,
    // These browsers know light-dark(), nesting and @layer, so the styles stay as they are written.
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
  },
});

export const pack = () => [];

export default function CataloguePage() {
  return <h1>Explore our catalog of Different Devices</h1>;
}

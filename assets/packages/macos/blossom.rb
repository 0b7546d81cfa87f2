# Builds blossom from its sources: brew install --build-from-source ./blossom.rb
class Blossom < Formula
  desc "Steer EmbedSOM maps of high-dimensional data by hand"
  homepage "@HOMEPAGE@"
  url "@SOURCE@"
  sha256 "@SHA256@"
  version "@VERSION@"
  license "Apache-2.0"

  depends_on "go" => :build

  def install
    system "go", "build", "-trimpath", "-o", bin/"blossom", "./cmd/blossom"
    generate_completions_from_executable(bin/"blossom", "completion")
    doc.install "README.md", "LICENSE", "assets/notices/NOTICES.txt"
  end

  test do
    system bin/"blossom", "embed", "demo:tesseract:500", "-o", "map.csv"
    assert_predicate testpath/"map.csv", :exist?
  end
end

class Urlsift < Formula
  desc "Finds, rejoins and judges the URLs in text and mail"
  homepage "https://urlsift.example/"
  url "https://urlsift.example/releases/urlsift-1.0.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license all_of: ["ISC", "Unicode-3.0", "BSD-3-Clause"]

  depends_on "make" => :build
  depends_on "pkgconf" => :build
  depends_on "libarchive"
  depends_on "libidn2"
  depends_on "libpsl"
  depends_on "pcre2"
  depends_on "xz"
  depends_on "zstd"
  uses_from_macos "bzip2"
  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  def install
    system "gmake", "install", "PREFIX=#{prefix}"
  end

  test do
    (testpath/"text").write("> see <URL:http://a.example/one-\n> two>.\n")
    assert_equal "http://a.example/one-two\n", shell_output("#{bin}/urlsift list text")
  end
end

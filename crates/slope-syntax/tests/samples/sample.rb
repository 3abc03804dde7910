module A
  class B < C
    def m(a, b = 1, *c, k: 2, &blk)
      if a && b then 1
      elsif c
        2
      else
        3
      end
      x if y and z
      items.each do |i|
        next unless i
      end
      y = case x
      when 1, 2 then 3
      else 4
      end
      case q
      in {a: 1} if z then 1
      in _ then 2
      end
      begin
        z
      rescue E => e
        1
      else
        2
      ensure
        3
      end
      a ||= 1
      t = ->(x) { x + 1 }
      s = <<~EOS
        text #{a}
      EOS
      v = a ? b : c
    rescue
      nil
    end
    def self.n; end
    def x=(v); end
    def short(a) = a && b
  end
end
